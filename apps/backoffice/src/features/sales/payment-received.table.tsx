import { msg } from '@lingui/core/macro';
import { amount } from '@wlv/ui/format';
import { lazy } from 'react';
import { paymentMethods, paymentPurposes, paymentStates } from '../../record/payment-words.ts';
import { instant, money, text, word } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { paymentState } from './payment-state.ts';

const PaymentStory = lazy(() => import('./payment-story.tsx'));

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
  card: { name: (row) => row.customer_name ?? '' },
  columns: [
    instant('created_at', msg`Started on`),
    instant('captured_at', msg`Paid on`, { sorts: false, wide: true }),
    word('purpose', msg`For`, paymentPurposes, { sorts: false }),
    word('method', msg`Way to pay`, paymentMethods, { sorts: false, wide: true }),
    money('amount_satang', msg`Amount`, { sorts: false }),
    money('fee_satang', msg`Payment company's fee`, { sorts: false, hidden: true }),
    money('refunded_satang', msg`Sent back`, { sorts: false, whenUsed: true }),
    money('disputed_satang', msg`Held back by the bank`, { sorts: false, whenUsed: true }),
    money('owed_satang', msg`Not covered yet`, { sorts: false, whenUsed: true }),
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
      choices: Object.entries(paymentStates).map(([value, { title }]) => ({ value, title })),
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
  look: paymentState,
  story: PaymentStory,
  empty: { title: msg`No payment yet`, line: msg`Top-ups and orders paid by QR or card stand here.` },
});
