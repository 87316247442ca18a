import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { type Detail, invalidates, mutation } from '@wlv/client/call';
import { useBrand, usePage, useTexts } from '@wlv/client/page';
import { signOut } from '@wlv/client/sign-in';
import { ConsentSheet } from '@wlv/ui/consent-sheet';
import { Note } from '@wlv/ui/note';
import { OrgMark } from '@wlv/ui/org-mark';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useArea } from '../../area.tsx';

/** What the shop asks a customer to accept after signing in; who does not want to goes on as a visitor. */
export function ConsentGate({ open }: { open: Detail<'/api/user/consent/open'>['data'] }) {
  const { i18n } = useLingui();
  const { org } = usePage();
  const { go } = useArea();
  const brand = useBrand();
  const text = useTexts();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);
  // Refused or not: what is open now is asked for anew, a version may have followed another meanwhile.
  const accept = useMutation({
    ...mutation('/api/user/consent/accept'),
    onSettled: (_detail, _error, ...rest) => invalidates('/api/user/consent/open')(null, ...rest),
  });

  const leave = async () => {
    setLeaving(true);
    await signOut('user');
    client.clear();
    await go('home', { reason: 'out' }, { replace: true });
  };
  return (
    <ConsentSheet
      mark={<OrgMark logo={org?.logo_url} name={brand} size={56} />}
      brand={brand}
      texts={open.map((one) => ({
        id: one.version_id,
        kind: one.kind,
        title: text(one, 'title'),
        body: text(one, 'body'),
      }))}
      busy={accept.isPending || leaving}
      problem={
        accept.isError && (
          <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />}>
            {errorSentence(i18n, accept.error)}
          </Note>
        )
      }
      onAccept={(ids) => accept.mutate({ version_ids: ids, lang: i18n.locale as 'th' | 'en' })}
      onLeave={() => void leave()}
    />
  );
}
