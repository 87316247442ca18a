import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ConsentSheet } from '@wlv/ui/consent-sheet';
import { OrgMark } from '@wlv/ui/org-mark';
import type { Language } from '../boot.ts';
import { type Detail, invalidates, mutation } from '../call.ts';
import { FaultNote } from '../fault-note.tsx';
import { useBrand, usePage, useTexts } from '../page.tsx';
import { useSignOut } from '../use-sign-out.ts';

/** What the shop asks to be accepted after signing in; who does not want to signs out and goes on at `entry`. */
export function ConsentGate({
  audience,
  open,
  entry,
}: {
  audience: 'user' | 'agent';
  open: Detail<'/api/user/consent/open'>['data'];
  entry: string;
}) {
  const { i18n } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  const { leave, leaving } = useSignOut(audience, entry);
  // Refused or not: what is open now is asked for anew, a version may have followed another meanwhile.
  const accept = useMutation({
    ...mutation(`/api/${audience}/consent/accept`),
    onSettled: (_detail, _error, ...rest) => invalidates(`/api/${audience}/consent/open`)(null, ...rest),
  });

  return (
    <ConsentSheet
      mark={<OrgMark logo={org?.logo_url} name={brand} size={56} />}
      brand={brand}
      texts={open.map((one) => ({
        id: one._id,
        kind: one.kind,
        title: text(one, 'name'),
        body: text(one, 'body'),
      }))}
      busy={accept.isPending || leaving}
      problem={<FaultNote error={accept.error} />}
      onAccept={(ids) => accept.mutate({ version_ids: ids, lang: i18n.locale as Language })}
      onLeave={leave}
    />
  );
}
