import { msg } from '@lingui/core/macro';
import { amount } from '@wlv/ui/format';
import { instant, money, text, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusStyle } from '../../resource/resource.ts';

const purposes = {
  topup: { title: msg`Top-up` },
  order: { title: msg({ message: 'Order', context: 'a purchase' }) },
  duplicate: { title: msg`Paid twice` },
};

const methods = { promptpay: { title: msg`PromptPay QR` }, card: { title: msg`Card` } };

const states: Record<string, StatusStyle> = {
  created: { title: msg`Started`, tone: 'mute' },
  awaiting: { title: msg`Waiting for payment`, tone: 'warn' },
  captured: { title: msg`Paid`, tone: 'ok' },
  expired: { title: msg`Not paid`, tone: 'mute' },
  failed: { title: msg`Failed`, tone: 'bad' },
};

const disputes: Record<string, StatusStyle> = {
  open: { title: msg`The bank asks it back`, tone: 'bad' },
  lost: { title: msg`Taken back by the bank`, tone: 'bad' },
};

/** What happened to the money after it was paid comes before that it was paid. */
function look(row: RowOf<'depositqrtransaction'>): StatusStyle | null {
  const dispute = disputes[row.dispute ?? ''];
  if (dispute) return dispute;
  if (row.case_kind === 'wrong_sum') return { title: msg`Paid with another sum`, tone: 'bad' };
  const { refunded_satang: back = 0, amount_satang: all = 0 } = row;
  if (row.state === 'captured' && back > 0)
    return back < all
      ? { title: msg`Partly sent back`, tone: 'warn' }
      : { title: msg`Sent back to the payer`, tone: 'warn' };
  return states[row.state ?? ''] ?? null;
}

/** Every payment through the payment company, and what became of it there. */
export const paymentsReceived = defineResource<'depositqrtransaction'>({
  table: 'depositqrtransaction',
  module: 'depositqrtransaction',
  path: 'depositqrtransaction',
  grows: true,
  menu: { group: 'reports', place: 30 },
  title: msg`Payments received`,
  one: msg`payment`,
  name: (row) => row.reference ?? '',
  code: (row) => row.customer_name,
  found: (row) => `${row.customer_name} · ${amount(row.amount_satang ?? 0)}`,
  columns: [
    instant('created_at', msg`Started on`),
    instant('captured_at', msg`Paid on`, { sorts: false }),
    word('purpose', msg`For`, purposes, { sorts: false }),
    word('method', msg`Way to pay`, methods, { sorts: false }),
    money('amount_satang', msg`Amount`, { sorts: false }),
    money('fee_satang', msg`Payment company's fee`, { sorts: false, hidden: true }),
    money('refunded_satang', msg`Sent back`, { sorts: false }),
    money('disputed_satang', msg`Held back by the bank`, { sorts: false }),
    money('owed_satang', msg`Not covered yet`, { sorts: false }),
    money('case_satang', msg`To be decided`, { sorts: false, hidden: true }),
    instant('case_due_at', msg`To be decided until`, { sorts: false, hidden: true }),
    text('gateway_id', msg`Payment company's number`, { sorts: false, hidden: true }),
  ],
  filters: [
    { name: 'created_at', title: msg`Started on`, kind: 'instant' },
    { name: 'captured_at', title: msg`Paid on`, kind: 'instant' },
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(states).map(([value, { title }]) => ({ value, title })),
    },
    {
      name: 'dispute',
      title: msg`Asked back by a bank`,
      kind: 'choice',
      choices: [
        { value: 'open', title: msg`Open` },
        { value: 'won', title: msg`Decided for the shop` },
        { value: 'lost', title: msg`Decided for the payer` },
      ],
    },
  ],
  look,
  empty: { title: msg`No payment yet`, line: msg`Top-ups and orders paid by QR or card stand here.` },
});
