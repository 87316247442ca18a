import { useLingui } from '@lingui/react/macro';
import { amount, dateTime } from '@wlv/ui/format';
import type { ReactNode } from 'react';
import type { Detail } from '../call.ts';
import { BrandMark, useTexts } from '../page.tsx';

export type Receipt = Detail<'/api/user/receipt/get'>;

/** Paper of a printer: a sheet, or the roll of a counter's. */
export type Paper = 'a4' | 'roll';

/** A receipt as it stands on a screen and, alone, on paper. `paper` decides for what the browser's print dialog is set. */
export function ReceiptSheet({ receipt, paper = 'a4' }: { receipt: Receipt; paper?: Paper }) {
  const { t } = useLingui();
  const refund = receipt.kind === 'refund';
  return (
    <article
      data-print={paper}
      aria-label={t`Receipt`}
      className="mx-auto w-full max-w-[520px] rounded-card bg-muted/50 px-4 py-5 text-sm print:bg-transparent print:p-0"
    >
      <Seller seller={receipt.seller} />
      <h2 className="mt-3 text-center text-lead font-semibold">{refund ? t`Receipt of a refund` : t`Receipt`}</h2>
      <p className="text-center text-caption text-muted-foreground">{t`This receipt is not a tax invoice`}</p>
      <Facts receipt={receipt} />
      <Lines receipt={receipt} />
      <Total receipt={receipt} name={refund ? t`Refunded` : t`Total`} />
      <Notes receipt={receipt} />
    </article>
  );
}

const part = 'mt-3 border-t border-dashed pt-3 print:border-black';

function Seller({ seller }: { seller: Receipt['seller'] }) {
  const { t } = useLingui();
  const text = useTexts();
  const { tax_id: taxId, branch, phone } = seller;
  const office = branch === '00000' ? t`Head office` : t`Branch ${branch}`;
  return (
    <header className="grid justify-items-center text-center">
      <span className="print:grayscale">
        <BrandMark size={44} />
      </span>
      <p className="mt-2 text-row font-semibold">{text(seller, 'name')}</p>
      <div className="max-w-[40ch] text-caption text-muted-foreground">
        {text(seller, 'address') && <p>{text(seller, 'address')}</p>}
        {taxId && (
          <p>
            {t`Tax ID ${taxId}`}
            {branch && <> · {office}</>}
          </p>
        )}
        {phone && <p>{t`Tel. ${phone}`}</p>}
      </div>
    </header>
  );
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { t } = useLingui();
  const ways = { wallet: t`Wallet`, promptpay: t`PromptPay`, card: t`Card`, bank: t`Bank transfer` };
  const refund = receipt.kind === 'refund';
  const facts: [string, string][] = [
    [t`Number`, receipt.number],
    [t`When`, dateTime(receipt.at)],
    [t`Customer`, receipt.customer],
    [refund ? t`Refunded to` : t`Paid by`, ways[receipt.method]],
  ];
  if (receipt.reference) facts.push([refund ? t`Of the order` : t`Payment reference`, receipt.reference]);
  return (
    <dl className={`${part} grid grid-cols-1 gap-1.5`}>
      {facts.map(([name, value]) => (
        <Row key={name} name={<dt className="shrink-0 text-muted-foreground">{name}</dt>}>
          <dd className="min-w-0 break-words text-right font-medium">{value}</dd>
        </Row>
      ))}
    </dl>
  );
}

function Row({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6">
      {name}
      {children}
    </div>
  );
}

function Lines({ receipt }: { receipt: Receipt }) {
  const { t } = useLingui();
  const text = useTexts();
  const lines =
    receipt.kind === 'topup'
      ? [{ name: t`Wallet top-up`, quantity: 1, unit: 0, amount: receipt.total_satang }]
      : receipt.lines.map((line) => ({
          name: text(line, 'name'),
          quantity: line.quantity,
          unit: line.unit_satang,
          amount: line.amount_satang,
        }));
  return (
    <div className={`${part} grid grid-cols-1 gap-2`}>
      <ul className="grid grid-cols-1 gap-2">
        {lines.map(({ name, quantity, unit, amount: whole }) => (
          <li key={name}>
            <p className="font-medium">
              {name}
              {!unit && quantity > 1 && <> × {quantity}</>}
            </p>
            {whole > 0 && (
              <Row name={<span className="text-muted-foreground">{unit > 0 && `${quantity} × ${amount(unit)}`}</span>}>
                <span className="tabular-nums">{amount(whole)}</span>
              </Row>
            )}
          </li>
        ))}
      </ul>
      {receipt.reductions.map((reduction) => (
        <Row key={`${reduction.name_th}${reduction.amount_satang}`} name={<span>{text(reduction, 'name')}</span>}>
          <span className="tabular-nums">−{amount(reduction.amount_satang)}</span>
        </Row>
      ))}
    </div>
  );
}

function Total({ receipt, name }: { receipt: Receipt; name: string }) {
  const { t, i18n } = useLingui();
  const total = amount(receipt.total_satang);
  return (
    <div className={part}>
      <p className="flex items-baseline justify-between font-semibold">
        <span className="text-row">{name}</span>
        <span className="text-[24px] leading-9 tabular-nums">{t`${total} baht`}</span>
      </p>
      {i18n.locale === 'th' && (
        <p className="text-right text-caption text-muted-foreground">({receipt.total_words_th})</p>
      )}
    </div>
  );
}

function Notes({ receipt }: { receipt: Receipt }) {
  const { t } = useLingui();
  const notes = {
    '': '',
    some: t`Some of this was taken back afterwards.`,
    all: t`All of this was taken back afterwards.`,
  };
  const note =
    receipt.kind === 'resale' ? t`Bought from another customer on the shop's resale board.` : notes[receipt.refunded];
  return note ? <p className="mt-2 text-caption text-muted-foreground">{note}</p> : null;
}
