import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invalidates, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card as Surface } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { Field } from '@wlv/ui/field';
import { baht, date } from '@wlv/ui/format';
import { Input, Textarea } from '@wlv/ui/input';
import { Remaining } from '@wlv/ui/meter';
import { Picture } from '@wlv/ui/picture';
import { Segment } from '@wlv/ui/segment';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Stepper } from '@wlv/ui/stepper';
import { Switch } from '@wlv/ui/switch';
import { keepThaiTogether } from '@wlv/ui/thai';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, Gift as GiftIcon, Users } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { useProfile } from '../../shell/profile.ts';
import { mayGive } from '../../shop/giving.ts';
import { HowMany } from '../../shop/how-many.tsx';
import { CardChoice } from './card-choice.tsx';
import { Envelopes, mostDrawn } from './envelope.tsx';
import { type GiftInput, nextLastDay, type Voucher } from './gift.ts';
import { instantOf, isWithin, type Moment, When } from './when.tsx';

/** Limits of the server's schema. */
const [longestName, longestWords, mostPeople] = [60, 200, 100];

export function GivePage() {
  const { t } = useLingui();
  const { voucherId = '' } = useParams<'voucherId'>();
  const voucher = useQuery(query('/api/user/voucher/detail', { id: voucherId }));
  const setting = useQuery(query('/api/user/transfer/setting', {}));
  const givable = Boolean(voucher.data && mayGive(voucher.data));
  const failed = [voucher, setting].find(({ isError }) => isError);
  return (
    <InnerPage title={t`Give as a gift`} parent={`activevoucher/${voucherId}`} foot={givable}>
      {(voucher.isPending || setting.isPending) && !failed && <Skeleton className="h-[340px] rounded-card" />}
      {failed && (
        <Failure title={t`The voucher did not load`} error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {voucher.data && !givable && <NotNow voucher={voucher.data} />}
      {voucher.data && givable && setting.data && <GiveForm voucher={voucher.data} days={setting.data.days} />}
    </InnerPage>
  );
}

/** Somebody came by an old address, or it was given on another phone meanwhile. */
function NotNow({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  if (voucher.state === 'in_transfer' && voucher.gift_id) {
    return (
      <EmptyState
        title={t`This voucher is being given already`}
        line={t`Its gift has the link, and there you can take it back.`}
        action={
          <Button asChild>
            <AreaLink page={`gift/${voucher.gift_id}`} replace>{t`Open the gift`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      title={t`This voucher cannot be given now`}
      line={
        voucher.state !== 'ready'
          ? t`Only a voucher that is ready to use can be given.`
          : voucher.transfer_rule === 'none'
            ? t`It is for you alone.`
            : t`It has been given on as often as it may be.`
      }
      action={
        <Button asChild>
          <AreaLink page={`activevoucher/${voucher.id}`} replace>{t`Back to the voucher`}</AreaLink>
        </Button>
      }
    />
  );
}

/** Sends a gift once, and goes to its page. */
function useMakeGift() {
  const { go } = useArea();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (gift: GiftInput) => callOnce('/api/user/transfer/create', gift),
    onSuccess: async (gift, ...rest) => {
      client.setQueryData(query('/api/user/transfer/detail', { id: gift.id }).queryKey, gift);
      // Before the voucher is read anew: it is not to be given any more, and the form would leave before its page does.
      await go(`gift/${gift.id}`, {}, { replace: true });
      await invalidates('/api/user/voucher/list', '/api/user/voucher/detail', '/api/user/transfer/list')(gift, ...rest);
    },
  });
}

function GiveForm({ voucher, days }: { voucher: Voucher; days: number }) {
  const { t } = useLingui();
  const profile = useProfile();
  const make = useMakeGift();
  const [gift, setGift] = useState<GiftInput>({
    voucher_id: voucher.id,
    items: voucher.items_left,
    card: 'thanks',
    to_name: '',
    words: '',
    digits: '',
  });
  const [locked, setLocked] = useState(false);
  const group = groupOf(voucher);
  // How many people it is for; none while it is for one.
  const [people, setPeople] = useState<number>();
  const [moment, setMoment] = useState<Moment>();
  const [asked, setAsked] = useState(false);
  const set = (change: Partial<GiftInput>) => setGift((before) => ({ ...before, ...change }));
  const from = profile.data?.displayName;
  const forGroup = people !== undefined && group !== undefined;
  const enough = forGroup || (gift.items >= 1 && gift.items <= voucher.items_left);
  const wrongTime = moment !== undefined && !isWithin(moment, voucher.valid_until);
  const begins = moment && instantOf(moment);
  const fourMissing = !forGroup && locked && gift.digits.length !== 4;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!enough) {
      event.currentTarget.querySelector<HTMLElement>('[name="items"]')?.focus();
      return;
    }
    if (fourMissing) {
      event.currentTarget.querySelector<HTMLElement>('[name="digits"]')?.focus();
      return;
    }
    if (wrongTime) {
      event.currentTarget.querySelector<HTMLElement>('[name="day"]')?.focus();
      return;
    }
    if (make.isPending) return;
    make.mutate({
      ...gift,
      to_name: gift.to_name.trim(),
      words: gift.words.trim(),
      digits: locked && !forGroup ? gift.digits : '',
      ...(forGroup && { people, items: group.each }),
      ...(begins && { begins_at: begins }),
    });
  };

  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
      {group && <ForWhom group={forGroup} onChange={(many) => setPeople(many ? group.most : undefined)} />}
      <WhatIsGiven voucher={voucher}>
        {forGroup ? (
          <HowManyPeople voucher={voucher} group={group} people={people} onChange={setPeople} />
        ) : voucher.transfer_together || voucher.items_left === 1 ? (
          <Whole voucher={voucher} />
        ) : (
          <HowMany
            voucher={voucher}
            name={voucher.kind === 'baht' ? t`Amount to give` : t`How many to give`}
            items={gift.items}
            onChange={(items) => set({ items })}
            wrong={asked && !enough}
          />
        )}
      </WhatIsGiven>
      {forGroup && people <= mostDrawn && <Envelopes people={people} />}
      <Rules voucher={voucher} days={days} begins={begins} group={forGroup} />
      <CardChoice value={gift.card} onChange={(card) => set({ card })} />
      <Field
        label={forGroup ? t`Name of the group` : t`Who is it for?`}
        optional={t`Optional`}
        help={t`Shown to whoever opens the link.`}
      >
        <Input
          name="to"
          maxLength={longestName}
          autoComplete="off"
          value={gift.to_name}
          onChange={({ target }) => set({ to_name: target.value })}
        />
      </Field>
      <Field
        label={forGroup ? t`Words on the envelope` : t`Your words`}
        optional={t`Optional`}
        help={
          <span className="flex justify-between gap-3">
            <span className="min-w-0 truncate">{from && t`From ${from}`}</span>
            <span className="shrink-0">
              {gift.words.length}/{longestWords}
            </span>
          </span>
        }
      >
        <Textarea
          name="words"
          rows={3}
          maxLength={longestWords}
          value={gift.words}
          onChange={({ target }) => set({ words: target.value })}
        />
      </Field>
      {!forGroup && (
        <Surface className="grid grid-cols-1 gap-3 px-4 py-3.5">
          <div className="flex items-start gap-3">
            <label htmlFor="lock" className="min-w-0 flex-1">
              <span className="block text-row font-medium">{t`Lock it with 4 digits`}</span>
              <span className="block text-caption text-quiet">
                {t`The last four of the receiver's mobile number. Without a lock, whoever has the link can receive it.`}
              </span>
            </label>
            <Switch id="lock" checked={locked} onCheckedChange={setLocked} />
          </div>
          {locked && (
            <Field
              label={t`Last 4 digits`}
              help={t`Your words and what is inside are seen only with these digits.`}
              error={asked && fourMissing ? t`Enter the last four digits of the mobile number.` : undefined}
            >
              <Input
                name="digits"
                inputMode="numeric"
                autoComplete="off"
                className="w-32!"
                value={gift.digits}
                onChange={({ target }) => set({ digits: target.value.replace(/\D/g, '').slice(0, 4) })}
              />
            </Field>
          )}
        </Surface>
      )}
      <When moment={moment} onChange={setMoment} validUntil={voucher.valid_until} wrong={asked && wrongTime} />
      <FaultNote error={make.error} />
      <ActionFoot>
        <Button type="submit" wide disabled={make.isPending} aria-busy={make.isPending}>
          <GiftIcon aria-hidden />
          {make.isPending ? t`One moment…` : forGroup ? t`Prepare the ang-pao` : t`Wrap the gift`}
        </Button>
        <p className="pt-2 text-center text-caption text-quiet">
          {moment ? t`You can take it back, or send it earlier.` : t`Next you choose how to send its link.`}
        </p>
      </ActionFoot>
    </form>
  );
}

/** How many people a voucher and those that are like it can go to, and how much each gets; of one alone, an item each. */
function groupOf({ alike, items_left: left, kind, transfer_together: together }: Voucher) {
  if (together) return undefined;
  if (alike > 1) return { most: Math.min(alike, mostPeople), each: left };
  return kind === 'item' && left > 1 ? { most: Math.min(left, mostPeople), each: 1 } : undefined;
}

type Group = NonNullable<ReturnType<typeof groupOf>>;

function ForWhom({ group, onChange }: { group: boolean; onChange: (group: boolean) => void }) {
  const { t } = useLingui();
  return (
    <Segment
      title={t`For`}
      value={group ? 'group' : 'one'}
      options={[
        { value: 'one', label: t`One person` },
        { value: 'group', label: t`A group, as ang-pao` },
      ]}
      onChange={(value) => onChange(value === 'group')}
    />
  );
}

interface HowManyPeopleProps {
  voucher: Voucher;
  group: Group;
  people: number;
  onChange: (people: number) => void;
}

function HowManyPeople({ voucher, group: { most, each }, people, onChange }: HowManyPeopleProps) {
  const { t } = useLingui();
  const much = voucher.kind === 'baht' ? baht(each) : plural(each, { one: '# time', other: '# times' });
  const kept = most - people;
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{keepThaiTogether(t`${people} people, ${much} each`)}</p>
        <p className="text-caption text-quiet">{kept > 0 ? t`You keep ${kept}` : t`You give away all of them`}</p>
      </div>
      <Stepper name={t`How many people`} value={people} onChange={onChange} min={2} max={most} />
    </>
  );
}

function WhatIsGiven({ voucher, children }: { voucher: Voucher; children: ReactNode }) {
  const { t } = useLingui();
  const text = useTexts();
  const until = date(voucher.valid_until);
  return (
    <Ticket stub={72} foot={children}>
      <div className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
        <Picture
          src={pictureURL(voucher.picture, 160)}
          mark={<Mark size={32} />}
          className="size-14 shrink-0 rounded-[12px]"
        />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{text(voucher, 'name')}</p>
          <p className="text-caption text-quiet">{keepThaiTogether(t`Valid until ${until}`)}</p>
        </div>
      </div>
    </Ticket>
  );
}

/** What can be given whole only. */
function Whole({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  const { kind, items_left: left } = voucher;
  const money = baht(left);
  return (
    <div className="min-w-0 flex-1">
      <p className="flex items-center gap-2.5 font-semibold">
        {keepThaiTogether(
          kind === 'baht' ? t`Give all of ${money}` : plural(left, { one: 'Give # time', other: 'Give all # times' }),
        )}
        {kind === 'item' && <Remaining left={left} total={left} kind={kind} />}
      </p>
      {voucher.transfer_together && (
        <p className="text-caption text-quiet">{t`All of its kind from the same order go along`}</p>
      )}
    </div>
  );
}

/** What giving means, before anything is chosen. */
function Rules({
  voucher,
  days,
  begins,
  group,
}: {
  voucher: Voucher;
  days: number;
  begins: string | undefined;
  group: boolean;
}) {
  const { t } = useLingui();
  const { day, capped } = nextLastDay(voucher.valid_until, days, begins ? Date.parse(begins) : Date.now());
  const on = voucher.transfers_left - 1;
  return (
    <section aria-label={t`What giving means`} className="px-1">
      {group && (
        <Fact
          icon={<Users aria-hidden />}
          title={t`Whoever opens it first gets one, one each`}
          line={t`Who has one sees the first names of the others.`}
        />
      )}
      <Fact
        icon={<GiftIcon aria-hidden />}
        title={
          voucher.transfer_rule === 'unlimited'
            ? t`Who receives it may give it on`
            : on > 0
              ? keepThaiTogether(
                  t`Who receives it may give it on ${plural(on, { one: '# more time', other: '# more times' })}`,
                )
              : t`Who receives it cannot give it on`
        }
        line={
          group
            ? t`You can take back what nobody has taken. You cannot use it meanwhile.`
            : t`Until somebody has received it you can take it back. You cannot use it meanwhile.`
        }
      />
      <Fact
        icon={<CalendarClock aria-hidden />}
        title={keepThaiTogether(
          capped
            ? t`The link is good until ${day}, the last day of the voucher`
            : t`The link is good for ${plural(days, { one: '# day', other: '# days' })}, until ${day}`,
        )}
        line={
          group
            ? t`What is left then comes back to you by itself.`
            : t`If nobody receives it by then, it comes back to you by itself.`
        }
      />
    </section>
  );
}
