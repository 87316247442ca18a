import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { amount, baht } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { MoneyBar, MoneyMark } from '@wlv/ui/money-bar';
import { MoneyInput } from '@wlv/ui/money-input';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Select } from '@wlv/ui/select';
import { Stepper } from '@wlv/ui/stepper';
import { toast } from '@wlv/ui/toast';
import { Lock, Send, Undo2, Users } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import type { StoryOf } from '../../record/story.ts';
import { useVoucherState } from '../../resource/status-labels.tsx';

type Story = StoryOf<'orders'>;
type Voucher = Story['vouchers'][number];

/** What may be refunded whole while it is: ending the offer or the gift. */
const refundable = ['ready', 'on_sale', 'in_transfer'];

/** Refunds what was not used of an order to the wallet of who holds it, or to the card by which he paid for it. */
export function RefundOrder({ story }: { story: Story }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  const some = story.vouchers.some(({ state, items_left }) => refundable.includes(state) && items_left > 0);
  if (!some || !can('voucher', 's')) return null;
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setOpen(true)}>
        <Undo2 aria-hidden />
        {t`Refund`}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open && <Refund story={story} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function Refund({ story, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { record, vouchers } = story;
  const [items, setItems] = useState<Record<string, number>>({});
  const [reason, setReason] = useState<Reason>();
  const [wanted, setWanted] = useState<Method>('wallet');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);

  const chosen = vouchers.filter(({ id }) => id in items);
  const holder = chosen[0]?.holder_id;
  const parts = chosen.map(({ id }) => ({ voucher_id: id, items: items[id] ?? 0 }));
  const whole = parts.every(({ items: n }) => Number.isSafeInteger(n) && n > 0);
  const quote = useQuery({
    queryKey: ['/api/owner/refund/quote', { id: record.id, parts }] as const,
    queryFn: ({ signal }) => call('/api/owner/refund/quote', { id: record.id, parts }, { signal }),
    enabled: parts.length > 0 && whole,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const worth = new Map(parts.length ? quote.data?.parts.map((part) => [part.voucher_id, part.amount_satang]) : []);
  const card = parts.length && quote.data?.source?.method === 'card' ? quote.data.source : null;
  const takes = card != null && quote.data !== undefined && quote.data.amount_satang <= card.limit_satang;
  const method = takes ? wanted : 'wallet';
  const most = baht(card?.limit_satang ?? 0);
  const digits = card?.card_digits;
  const ways: { value: Method; label: string }[] = [
    { value: 'wallet', label: t`The customer's Wallet` },
    { value: 'card', label: digits ? t`Card ····${digits}` : t`The card that paid` },
  ];
  const make = useMutation({
    mutationFn: (given: Reason) =>
      callOnce('/api/owner/refund/make', { id: record.id, parts, method, reason: given, note: note.trim() }),
    onSuccess: (made) => {
      const sum = baht(made.amount_satang);
      toast({ tone: 'ok', title: t`${sum} refunded` });
      onDone();
    },
    // Also after a refusal: it was used or given away meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  const ask = useMutation({
    mutationFn: (given: Reason) =>
      callOnce('/api/owner/refund/ask', { id: record.id, parts, method, reason: given, note: note.trim() }),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
      onDone();
    },
    // Also after a refusal: it was used or given away meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });

  const choose = (of: Voucher, n: number | undefined) =>
    setItems(({ [of.id]: _, ...others }) => (n === undefined ? others : { ...others, [of.id]: n }));
  const ready = parts.length > 0 && whole && quote.isSuccess && !quote.isPlaceholderData;
  const second = ready && quote.data.needs_second;
  const unsaid = second && !note.trim();
  const sum = ready ? baht(quote.data.amount_satang) : '';
  return (
    <DialogContent
      className="sm:w-[880px]"
      title={t`Refund`}
      description={`${record.number} · ${record.customer_name || '–'}`}
      foot={
        <div className="flex flex-wrap items-center justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Leave it`}</Button>
          <Button
            size="office"
            disabled={!ready || make.isPending || ask.isPending}
            onClick={() => (reason && !unsaid ? (second ? ask : make).mutate(reason) : setAsked(true))}
          >
            {second ? <Send aria-hidden /> : <Undo2 aria-hidden />}
            {ready ? (second ? t`Ask for ${sum}` : t`Refund ${sum}`) : t`Refund`}
          </Button>
        </div>
      }
    >
      <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid content-start gap-5">
          <fieldset>
            <legend className="mb-2 font-medium">{t`What is refunded`}</legend>
            <ul className="divide-y rounded-touch px-3.5 shadow-[inset_0_0_0_1px_var(--line)]">
              {vouchers.map((of) => (
                <Row
                  key={of.id}
                  of={of}
                  buyer={record.customer_id}
                  items={items[of.id]}
                  apart={holder !== undefined && holder !== of.holder_id}
                  worth={worth.get(of.id)}
                  onChange={(n) => choose(of, n)}
                />
              ))}
            </ul>
          </fieldset>
          {card && (
            <Field label={t`Where it goes`} help={takes ? undefined : t`The card takes back ${most} at most.`}>
              <Select size="office" value={method} onChange={setWanted} options={ways} disabled={!takes} />
            </Field>
          )}
          <Field label={t`Reason`} error={asked && !reason ? t`Choose a reason` : undefined}>
            <Select size="office" value={reason} onChange={setReason} options={useReasons()} placeholder={t`Choose`} />
          </Field>
          <Field
            label={second ? t`Why, for the second person` : t`Note`}
            optional={t`For your shop only`}
            error={asked && unsaid ? t`Write why` : undefined}
          >
            <Textarea value={note} maxLength={500} rows={2} onChange={(change) => setNote(change.target.value)} />
          </Field>
        </div>
        <div className="grid content-start gap-3 rounded-touch bg-muted p-4" aria-live="polite">
          <FaultNote error={make.error ?? ask.error ?? (parts.length ? quote.error : null)} />
          {ready ? (
            <Sums quote={quote.data} method={method} />
          ) : (
            <p className="text-quiet">{t`Choose what is refunded.`}</p>
          )}
        </div>
      </div>
    </DialogContent>
  );
}

/** A refund changes records, lists and figures. */
const changed = /^\/api\/owner\/(story|get|dashboard|approval)/;

type Method = 'wallet' | 'card';

const reasons = ['asked', 'not_provided', 'mistake', 'other'] as const;
type Reason = (typeof reasons)[number];

function useReasons(): { value: Reason; label: string }[] {
  const { t } = useLingui();
  const names = {
    asked: t`The customer asked for it`,
    not_provided: t`The shop cannot provide it`,
    mistake: t`Bought or sold by mistake`,
    other: t({ message: 'Something else', context: 'a reason' }),
  };
  return reasons.map((value) => ({ value, label: names[value] }));
}

/** A voucher of the order, and how much of it is refunded. */
function Row({
  of,
  buyer,
  items,
  apart,
  worth,
  onChange,
}: {
  of: Voucher;
  buyer: string;
  items: number | undefined;
  /** It belongs to somebody else than what is chosen. */
  apart: boolean;
  worth: number | undefined;
  onChange: (items: number | undefined) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const says = useVoucherState();
  const may = refundable.includes(of.state) && of.items_left > 0;
  const name = text(of, 'name');
  const whole = of.state !== 'ready'; // what is on sale or on its way ends as one
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      {may ? (
        <Checkbox
          size="office"
          aria-label={name}
          checked={items !== undefined}
          disabled={apart}
          onCheckedChange={(is) => onChange(is === true ? of.items_left : undefined)}
        />
      ) : (
        <Lock aria-hidden className="size-5 text-quiet" />
      )}
      <span className="min-w-0 flex-1">
        <span className={may && !apart ? 'block font-medium' : 'block text-quiet'}>{name}</span>
        <span className="block text-caption text-quiet">
          {of.code} · {says(of)}
          {of.holder_id !== buyer && ` · ${t`with ${of.holder_name}`}`}
        </span>
        {apart && may && (
          <span className="block text-caption text-quiet">{t`Belongs to somebody else. Refund it by itself.`}</span>
        )}
      </span>
      {items !== undefined && !whole && of.kind === 'item' && of.items_left > 1 && (
        <Stepper value={items} max={of.items_left} onChange={onChange} name={name} />
      )}
      {items !== undefined && !whole && of.kind === 'baht' && (
        <MoneyInput
          aria-label={name}
          className="w-32"
          value={items}
          onChange={(satang) => onChange(satang ?? Number.NaN)}
        />
      )}
      {items !== undefined && worth !== undefined && (
        <span className="w-20 text-right font-medium">{amount(worth)}</span>
      )}
    </li>
  );
}

/** Where each satang comes from. */
function Sums({
  quote,
  method,
}: {
  method: Method;
  quote: {
    customer_name: string;
    amount_satang: number;
    share_satang: number;
    fee_satang: number;
    commission_satang: number;
    needs_second: boolean;
  };
}) {
  const { t } = useLingui();
  const parts = [
    { key: 'share', name: t`The shop's, not earned yet`, satang: quote.share_satang, colour: 'bg-brand-mark' },
    { key: 'commission', name: t`Commission`, satang: quote.commission_satang, colour: 'bg-second-mark' },
    { key: 'fee', name: t`Platform fee`, satang: quote.fee_satang, colour: 'bg-info' },
  ];
  const holder = quote.customer_name || '–';
  return (
    <>
      <p className="text-muted-foreground">
        {method === 'card' ? t`To the card that ${holder} paid with` : t`Into the Wallet of ${holder}`}
      </p>
      <p className="text-h1 font-semibold">
        <Price satang={quote.amount_satang} />
      </p>
      <MoneyBar parts={parts} />
      <dl className="grid gap-2">
        {parts
          .filter(({ satang }) => satang !== 0)
          .map(({ key, name, satang, colour }) => (
            <div key={key} className="flex items-center gap-2">
              <MoneyMark colour={colour} />
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="ml-auto font-medium">{amount(satang)}</dd>
            </div>
          ))}
      </dl>
      {quote.needs_second && (
        <Note tone="warn" icon={<Users aria-hidden />} title={t`A second person has to approve it`}>
          {t`Your shop wants that for a refund of this size. Nothing is held meanwhile.`}
        </Note>
      )}
      <p className="text-caption text-quiet">
        {method === 'card'
          ? t`The customer's bank needs about 5–10 days. What the card cannot take goes into the Wallet. This cannot be taken back.`
          : t`It can be spent here at once, and pays first what the customer owes the shop. This cannot be taken back.`}
      </p>
    </>
  );
}
