import { Plural, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Fact } from '@wlv/ui/fact';
import { baht, date } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';
import { CalendarCheck, Gift, MapPin, ShieldCheck } from 'lucide-react';
import { useTransferRule } from '../../transfer-rule.ts';
import type { PackageDetail } from './package-page.tsx';

export type Item = PackageDetail['items'][number];

/** What the buyer receives, by name and number. */
export function Received({ items }: { items: Item[] }) {
  const { t } = useLingui();
  return (
    <section className="mt-2.5 grid grid-cols-1 gap-2 rounded-touch bg-muted px-4 py-3.5" aria-label={t`What you get`}>
      <p className="text-caption font-medium text-muted-foreground">{t`What you get`}</p>
      {items.map((item) => (
        <ReceivedItem key={item.name_th} item={item} />
      ))}
    </section>
  );
}

export function ReceivedItem({ item }: { item: Item }) {
  const text = useTexts();
  return (
    <p className="flex justify-between gap-4 text-row">
      <span className="min-w-0 font-medium">{text(item, 'name')}</span>
      <span className="shrink-0 font-semibold">
        <HowMany item={item} />
      </span>
    </p>
  );
}

function HowMany({ item: { kind, quantity, count } }: { item: Item }) {
  if (kind === 'item') return <Plural value={quantity * count} one="# time" other="# times" />;
  return quantity === 1 ? baht(count) : `${quantity} × ${baht(count)}`;
}

/** Rules that differ between the kinds inside name the kind they are of. */
export function PackageFacts({ product }: { product: PackageDetail }) {
  const text = useTexts();
  const description = text(product, 'description');
  return (
    <>
      <div className="mt-2.5">
        {distinct(product.items, validityOf).map((item) => (
          <Validity key={item.name_th} item={item} />
        ))}
        {distinct(product.items, transferOf).map((item) => (
          <TransferRule key={item.name_th} item={item} />
        ))}
        {product.protected && <Protection />}
        <Places places={product.where} />
      </div>
      {description && <About text={description} />}
      {distinct(product.items, (item) => item.conditions_th).map((item) => {
        const conditions = text(item, 'conditions');
        return conditions && <Conditions key={item.name_th} text={conditions} />;
      })}
    </>
  );
}

const validityOf = (item: Item) => `${item.valid_days} ${item.valid_until}`;
const transferOf = (item: Item) => `${item.transfer_rule} ${item.transfer_times} ${item.transfer_together}`;

/** The first item of each different rule. */
function distinct(items: Item[], rule: (item: Item) => string) {
  return items.filter((item, i) => items.findIndex((other) => rule(other) === rule(item)) === i);
}

export function Validity({ item }: { item: Item }) {
  const { t } = useLingui();
  const text = useTexts();
  const days = item.valid_days;
  const until = item.valid_until && date(item.valid_until);
  return (
    <Fact
      icon={<CalendarCheck aria-hidden />}
      title={keepThaiTogether(until ? t`Valid until ${until}` : t`Valid for ${days} days from the day you buy`)}
      line={text(item, 'name')}
    />
  );
}

export function TransferRule({ item }: { item: Item }) {
  const { title, line } = useTransferRule({
    rule: item.transfer_rule,
    times: item.transfer_times,
    together: item.transfer_together,
  });
  return <Fact icon={<Gift aria-hidden />} title={title} line={line} />;
}

export function Protection() {
  const { t } = useLingui();
  return (
    <Fact
      icon={<ShieldCheck aria-hidden />}
      title={t`Your money is safe until you use it`}
      line={t`What you have not used can be refunded as the conditions say`}
    />
  );
}

export function About({ text }: { text: string }) {
  const { t } = useLingui();
  return <Section title={t`About this package`} text={text} />;
}

export function Conditions({ text }: { text: string }) {
  const { t } = useLingui();
  return <Section title={t`Conditions of use`} text={text} />;
}

function Section({ title, text }: { title: string; text: string }) {
  return (
    <section className="mt-4 border-t pt-4">
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="mt-1 whitespace-pre-line text-row text-muted-foreground">{text}</p>
    </section>
  );
}

export function Places({ places }: { places: PackageDetail['where'] }) {
  const { t } = useLingui();
  const text = useTexts();
  const [only] = places;
  if (!only) return null;
  return (
    <Fact
      icon={<MapPin aria-hidden />}
      title={places.length === 1 ? text(only, 'name') : t`Use it at ${places.length} places`}
      line={
        places.length === 1
          ? [text(only, 'address'), text(only, 'hours')].filter(Boolean).join(' · ')
          : places.map((p) => text(p, 'name')).join(' · ')
      }
    />
  );
}
