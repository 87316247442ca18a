import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { invalidates, mutation, query } from '@wlv/client/call';
import { useBrand, usePage, useTexts } from '@wlv/client/page';
import { ConsentSheet } from '@wlv/ui/consent-sheet';
import { Note } from '@wlv/ui/note';
import { OrgMark } from '@wlv/ui/org-mark';
import { CircleAlert } from 'lucide-react';
import { useLeave } from '../../shell/use-leave.ts';

/** What the shop asks an agent to accept after signing in. */
export function ConsentGate() {
  const { i18n } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  const { leave, leaving } = useLeave();
  const open = useQuery({ ...query('/api/agent/consent/open', {}), staleTime: Number.POSITIVE_INFINITY });
  // Refused or not: what is open now is asked for anew, a version may have followed another meanwhile.
  const accept = useMutation({
    ...mutation('/api/agent/consent/accept'),
    onSettled: (_detail, _error, ...rest) => invalidates('/api/agent/consent/open')(null, ...rest),
  });

  if (!open.data?.data.length) return null;
  return (
    <ConsentSheet
      mark={<OrgMark logo={org?.logo_url} name={brand} size={56} />}
      brand={brand}
      texts={open.data.data.map((one) => ({
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
      onLeave={leave}
    />
  );
}
