import { Plural, useLingui } from '@lingui/react/macro';
import { capabilities } from '@wlv/client/capabilities';
import { useTexts } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { useComing } from '@wlv/client/use-coming';
import { Button } from '@wlv/ui/button';
import { Fact } from '@wlv/ui/fact';
import { baht, date } from '@wlv/ui/format';
import { phone, tel } from '@wlv/ui/phone';
import { keepThaiTogether } from '@wlv/ui/thai';
import { CalendarCheck, Gift, Hourglass, MapPin, MessageCircle, Phone, RotateCcw, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { page } from '../../shell/screen.ts';
import { useAfterExpiry } from '../../shop/after-expiry.ts';
import { useRefundTerms } from '../../shop/refund-terms.ts';
import { useTransferRule } from '../../shop/transfer-rule.ts';
import type { PackageDetail, Part } from './package.ts';

/** What the buyer receives, by name and number. */
export function Received({ parts }: { parts: Part[] }) {
  const { t } = useLingui();
  return (
    <section className="mt-2.5 grid grid-cols-1 gap-2 rounded-touch bg-muted px-4 py-3.5" aria-label={t`What you get`}>
      <p className="text-caption font-medium text-muted-foreground">{t`What you get`}</p>
      {parts.map((part) => (
        <ReceivedPart key={part.name_th} part={part} />
      ))}
    </section>
  );
}

export function ReceivedPart({ part }: { part: Part }) {
  const text = useTexts();
  return (
    <p className="flex justify-between gap-4 text-row">
      <span className="min-w-0 font-medium">{text(part, 'name')}</span>
      <span className="shrink-0 font-semibold">
        <HowMany part={part} />
      </span>
    </p>
  );
}

function HowMany({ part: { kind, quantity, count } }: { part: Part }) {
  if (kind === 'item') return <Plural value={quantity * count} one="# time" other="# times" />;
  return quantity === 1 ? baht(count) : `${quantity} × ${baht(count)}`;
}

/** Rules that differ between the kinds inside name the kind they are of. */
export function PackageFacts({ product }: { product: PackageDetail }) {
  const text = useTexts();
  const description = text(product, 'description');
  const [open, setOpen] = useState(false);
  const ServicePointsSheet = useComing(placesSheet, open);
  const validities = distinct(product.parts, validityOf);
  const expiries = distinct(product.parts, (part) => part.expiry_rule);
  return (
    <>
      <div className="mt-2.5">
        {validities.map((part) => (
          <Validity key={part.name_th} part={part} named={validities.length > 1} />
        ))}
        {distinct(product.parts, (part) => part.usable_th).map((part) => {
          const usable = text(part, 'usable');
          return usable && <Usable key={part.name_th} text={usable} />;
        })}
        <CheckDay id={product.id} />
        <ServicePoints places={product.where} onOpen={() => setOpen(true)} />
        {capabilities.transfers &&
          distinct(product.parts, transferOf).map((part) => <TransferRule key={part.name_th} part={part} />)}
        {expiries.map((part) => (
          <AfterExpiry key={part.name_th} part={part} named={expiries.length > 1} />
        ))}
        {capabilities.refunds && product.price_satang > 0 && <RefundRule product={product} />}
        {product.protected && <Protection />}
        <AskTheShop />
      </div>
      {description && <About text={description} />}
      {distinct(product.parts, (part) => part.conditions_th).map((part) => {
        const conditions = text(part, 'conditions');
        return conditions && <Conditions key={part.name_th} text={conditions} />;
      })}
      <Booking places={product.where} onOpen={() => setOpen(true)} />
      {ServicePointsSheet && <ServicePointsSheet places={product.where} open={open} onOpen={setOpen} />}
    </>
  );
}

const placesSheet = page(() => import('../../shop/service-points-sheet.tsx'), 'ServicePointsSheet');

const validityOf = (part: Part) => part.last_day;
const transferOf = (part: Part) => `${part.transfer_rule} ${part.transfer_times} ${part.transfer_together}`;

/** The first part of each different rule. */
function distinct(parts: Part[], rule: (part: Part) => string) {
  return parts.filter((part, i) => parts.findIndex((other) => rule(other) === rule(part)) === i);
}

/** `named` says which kind it is of, where there are others. */
export function Validity({ part, named }: { part: Part; named: boolean }) {
  const { t } = useLingui();
  const text = useTexts();
  const days = part.valid_days;
  const until = date(part.last_day);
  const fixed = part.valid_until !== null;
  return (
    <Fact
      icon={<CalendarCheck aria-hidden />}
      title={keepThaiTogether(fixed ? t`Valid until ${until}` : t`Buy today, valid until ${until}`)}
      line={named ? text(part, 'name') : fixed ? undefined : keepThaiTogether(t`${days} days from the day you buy`)}
    />
  );
}

/** On which days and at which hours, for how many. */
export function Usable({ text }: { text: string }) {
  return <Fact icon={<CalendarCheck aria-hidden />} title={text} />;
}

/** Whether a day works, before it is paid for. */
function CheckDay({ id }: { id: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<CalendarCheck aria-hidden />}
      title={t`Check a day`}
      line={t`See whether it works before you pay`}
      opens={(content, className) => (
        <AreaLink page={`market/${id}/days`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

export function TransferRule({ part }: { part: Part }) {
  const { title, line } = useTransferRule({
    rule: part.transfer_rule,
    times: part.transfer_times,
    together: part.transfer_together,
  });
  return <Fact icon={<Gift aria-hidden />} title={title} line={line} />;
}

/** Of what costs something. Money of what somebody else holds is not the payer's any more. */
export function RefundRule({ product }: { product: PackageDetail }) {
  const handed = capabilities.transfers && product.parts.some((part) => part.transfer_rule !== 'none');
  const { title, line } = useRefundTerms(product, handed);
  return <Fact icon={<RotateCcw aria-hidden />} title={title} line={line} />;
}

export function Protection() {
  const { t } = useLingui();
  return <Fact icon={<ShieldCheck aria-hidden />} title={t`Your money is safe until you use it or it expires`} />;
}

/** Stands beside the protection: it ends with the voucher. */
export function AfterExpiry({ part, named }: { part: Part; named: boolean }) {
  const text = useTexts();
  return (
    <Fact
      icon={<Hourglass aria-hidden />}
      title={useAfterExpiry(part.expiry_rule)}
      line={named ? text(part, 'name') : undefined}
    />
  );
}

/** Who has a question asks before he pays. */
function AskTheShop() {
  const { t } = useLingui();
  return (
    <Fact
      icon={<MessageCircle aria-hidden />}
      title={t`Ask the shop`}
      line={t`Anything you want to know before you buy`}
      opens={(content, className) => (
        <Link to="/contact" className={className}>
          {content}
        </Link>
      )}
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

export function ServicePoints({ places, onOpen }: { places: PackageDetail['where']; onOpen: () => void }) {
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
      opens={(content, className) => (
        <button type="button" className={className} onClick={onOpen}>
          {content}
        </button>
      )}
    />
  );
}

/** Calls the only place, or shows whom to call. It is nothing where no place has a number. */
export function Booking({ places, onOpen }: { places: PackageDetail['where']; onOpen: () => void }) {
  const { t } = useLingui();
  const [only, ...more] = places.filter((place) => place.phone);
  if (!only) return null;
  return (
    <div className="mt-3">
      {more.length ? (
        <Button variant="soft" size="md" onClick={onOpen}>
          <Phone aria-hidden />
          {t`Call to book`}
        </Button>
      ) : (
        <Button asChild variant="soft" size="md">
          <a href={tel(only.phone)}>
            <Phone aria-hidden />
            {t`Call to book`} {phone(only.phone)}
          </a>
        </Button>
      )}
    </div>
  );
}
