import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { mutation, query } from '@wlv/client/call';
import { device } from '@wlv/client/device';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { PrintOn } from '@wlv/client/receipt/print-on';
import { type Paper, type Receipt, ReceiptSheet } from '@wlv/client/receipt/sheet';
import { useParams } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useArea } from '../../area.tsx';
import type { Page } from '../../pages.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { MailForm } from './mail-form.tsx';

type Kind = Receipt['kind'];

const parents: Record<Kind, Page> = { order: 'orders', refund: 'orders', topup: 'wallet', resale: 'trade' };
function isKind(kind: string): kind is Kind {
  return Object.hasOwn(parents, kind);
}

/** A receipt, to be read, printed, sent by e-mail, or opened in the phone's own browser. */
export function ReceiptPage() {
  const { t } = useLingui();
  const { kind = '', receiptId = '' } = useParams<'kind' | 'receiptId'>();
  const known = isKind(kind);
  return (
    <InnerPage title={t`Receipt`} parent={known ? parents[kind] : 'orders'}>
      {known ? <Found kind={kind} id={receiptId} /> : <EmptyState title={t`There is no such receipt`} />}
    </InnerPage>
  );
}

function Found({ kind, id }: { kind: Kind; id: string }) {
  const { t } = useLingui();
  const receipt = useQuery({ ...query('/api/user/receipt/get', { kind, id }), staleTime: 0 });
  if (receipt.isError)
    return <Failure title={t`The receipt did not load`} error={receipt.error} onRetry={() => void receipt.refetch()} />;
  if (!receipt.data) return <Skeleton className="h-[420px] rounded-card" />;
  return <Shown receipt={receipt.data} />;
}

function Shown({ receipt }: { receipt: Receipt }) {
  const [paper, setPaper] = useState<Paper>('a4');
  const { liffId } = useArea();
  const phone = useQuery({ queryKey: ['device'], queryFn: () => device(liffId), staleTime: Number.POSITIVE_INFINITY });
  return (
    <div className="grid grid-cols-1 gap-5 pb-6 pt-1">
      <ReceiptSheet receipt={receipt} paper={paper} />
      <div className="mx-auto grid w-full max-w-[520px] grid-cols-1 gap-5">
        {phone.data?.openOutside ? (
          <Outside of={receipt} open={phone.data.openOutside} />
        ) : (
          <PrintOn paper={paper} onPaper={setPaper} />
        )}
        {receipt.mail && <MailForm of={receipt} />}
      </div>
    </div>
  );
}

/** LINE's browser can neither print nor save. */
function Outside({ of, open }: { of: Receipt; open: (url: string) => void }) {
  const { t } = useLingui();
  const link = useMutation(mutation('/api/user/receipt/link'));
  const go = () =>
    link.mutate(
      { kind: of.kind, id: of.id },
      { onSuccess: ({ secret }) => open(`${location.origin}/receipt#${secret}`) },
    );
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button variant="outline" wide onClick={go} disabled={link.isPending}>
        <ExternalLink aria-hidden />
        {t`Open in the browser to save it`}
      </Button>
      <p className="text-caption text-muted-foreground">{t`The link opens once, within ten minutes.`}</p>
      <FaultNote error={link.error} />
    </div>
  );
}
