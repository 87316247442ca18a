import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { useBankName } from '@wlv/client/bank';
import { call } from '@wlv/client/call';
import { download } from '@wlv/client/download';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { amount, baht, count, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { toast } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { FileCheck, FileText, History, Pause, Undo2 } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RecordCard, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { changedByRun, outcomes, payoutModule, payoutStates, useLeftOut } from './payout-states.ts';
import { SayOf } from './say-payout.tsx';

type Story = StoryOf<'payout'>;
type Line = Story['lines'][number];

/** What one agent is paid by a run, or a refund: what it is made of, what was said of it, and what he was paid before. */
export default function PayoutStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const bank = useBankName()(record.bank);
  const why = useLeftOut();
  const state = payoutStates[record.state];
  const payDay = date(record.pay_day);
  const account = record.account_digits ? `${bank} x-${record.account_digits}` : '';
  const out = record.state === 'left_out';
  const refund = record.number;
  return (
    <>
      <RecordHead
        name={record.payee_name || record.reference}
        picture={<Avatar src={record.pictureUrl} size={62} />}
        title={record.payee_name || '–'}
        chips={<Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        code={record.reference}
        line={
          <>
            <RecordLink table="payoutrun" id={record.run_id}>
              {record.transfer_id ? t`Refunds of ${payDay}` : t`Payouts of ${payDay}`}
            </RecordLink>
            <span aria-hidden>·</span>
            {record.transfer_id ? (
              <RecordLink table="banktransfer" id={record.transfer_id}>
                {t`Refund ${refund}`}
              </RecordLink>
            ) : (
              <RecordLink table={record.partner_id ? 'partner' : 'agent'} id={record.payee_id}>
                {record.partner_id ? t`The partner's page` : t`The agent's page`}
              </RecordLink>
            )}
            {account && (
              <>
                <span aria-hidden>·</span>
                {[account, story.account_name].filter(Boolean).join(' ')}
              </>
            )}
          </>
        }
        actions={
          <>
            <Papers story={story} />
            <Postpone story={story} />
            <SayOf row={record} framed />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-4">
        {out && (
          <Note tone="warn" icon={<Pause aria-hidden />} title={t`Nothing is paid by this run`}>
            {why(record)}
          </Note>
        )}
        {record.reason && (
          <Note tone="bad" icon={<Undo2 aria-hidden />} title={i18n._(state.title)}>
            {record.reason}
          </Note>
        )}
        {out ? <Open record={record} /> : <Sum story={story} account={account} />}
        {story.lines.length > 0 && <Lines story={story} />}
        {story.results.length > 0 && <Results of={story.results} />}
        <Before of={story.before} />
      </div>
    </>
  );
}

/** What somebody who is left out could be paid, or owes. */
function Open({ record }: { record: Story['record'] }) {
  const { t } = useLingui();
  return (
    <Card office className="px-[18px] py-4">
      <p className="text-caption text-quiet">
        {record.transfer_id
          ? t`To be transferred`
          : record.gross_satang < 0
            ? t`Owed when it was computed`
            : t`Commission when it was computed, before tax`}
      </p>
      <p className="text-h1 font-semibold">
        <Price satang={Math.abs(record.gross_satang)} />
      </p>
    </Card>
  );
}

/** Commission, less what was taken back, less tax, is the transfer. */
function Sum({ story, account }: { story: Story; account: string }) {
  const { t } = useLingui();
  const { record } = story;
  const taxable = amount(story.taxable_satang);
  const transfer = account ? t`Transfer to ${account}` : t({ message: 'Transfer', context: 'the sum of a payout' });
  if (record.transfer_id) {
    return (
      <Card office className="px-[18px] py-4">
        <p className="text-caption text-quiet">{transfer}</p>
        <p className="text-h1 font-semibold">
          <Price satang={record.net_satang} />
        </p>
      </Card>
    );
  }
  const parts: { name: string; sum: ReactNode; sign?: string; word?: string }[] = [
    {
      name: t`Commission, ${plural(record.lines, { one: '# line', other: '# lines' })}`,
      sum: amount(record.gross_satang - record.taken_back_satang),
    },
    { name: t`Carried over`, sum: amount(-record.taken_back_satang), sign: '−', word: t`minus` },
    {
      name: record.withheld_satang > 0 ? t`Tax withheld, of ${taxable}` : t`Tax withheld`,
      sum: amount(record.withheld_satang),
      sign: '−',
      word: t`minus`,
    },
    {
      name: transfer,
      sum: <Price satang={record.net_satang} />,
      sign: '=',
      word: t`is`,
    },
  ];
  return (
    <Card office className="px-[18px] py-4">
      <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-3 max-sm:grid max-sm:grid-cols-[auto_1fr]">
        {parts.map(({ name, sum, sign, word }) => (
          <Fragment key={name}>
            {sign && (
              <span className="text-h2 text-quiet">
                <span aria-hidden>{sign}</span>
                <span className="sr-only">{word}</span>
              </span>
            )}
            <span className={clsx(!sign && 'max-sm:col-start-2')}>
              <span className="block text-caption text-quiet">{name}</span>
              <span className={clsx('block font-semibold', sign === '=' ? 'text-h1' : 'text-h2')}>{sum}</span>
            </span>
          </Fragment>
        ))}
      </div>
    </Card>
  );
}

/** Where the money comes from, an order each; what was taken back first. */
function Lines({ story: { lines, record, taxable_satang: taxable } }: { story: Story }) {
  const { t } = useLingui();
  const [shown, all] = [count(lines.length), count(record.lines)];
  return (
    <Card office className="overflow-clip">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-[18px] pb-2 pt-4">
        <h2 className="text-base font-semibold">{t`Where the money comes from`}</h2>
        {record.lines > lines.length && (
          <span className="text-caption text-quiet">{t`The first ${shown} of ${all} lines`}</span>
        )}
      </div>
      <div className="overflow-x-auto">
        <table className="w-full">
          <thead className="bg-muted text-caption text-muted-foreground">
            <tr>
              <th scope="col" className="h-[42px] px-[18px] text-left font-medium">
                {t({ message: 'Order', context: 'a purchase' })}
              </th>
              <th scope="col" className="px-3 text-left font-medium">{t`What`}</th>
              <th scope="col" className="px-3 text-right font-medium max-sm:hidden">{t`Paid for it`}</th>
              <th scope="col" className="px-[18px] text-right font-medium">{t`Commission`}</th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {lines.map((line, i) => (
              <OneLine key={i} of={line} />
            ))}
          </tbody>
          <tfoot>
            <tr className="bg-muted font-semibold">
              <th scope="row" colSpan={2} className="h-11 px-[18px] text-left">{t`What tax is counted of`}</th>
              <td className="max-sm:hidden" />
              <td className="whitespace-nowrap px-[18px] text-right">{amount(taxable)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </Card>
  );
}

function OneLine({ of }: { of: Line }) {
  const { t } = useLingui();
  const text = useTexts();
  const back = of.what === 'taken_back';
  const what = text(of, 'name');
  return (
    <tr className={clsx(back && 'bg-warn-soft text-warn-text')}>
      <td className="min-w-32 px-[18px] py-2.5">
        <RecordLink table={of.voucher_id ? 'voucher' : 'orders'} id={of.voucher_id ?? of.order_id}>
          {of.number}
        </RecordLink>
        <span className={clsx('block text-caption', !back && 'text-quiet')}>{date(of.at)}</span>
      </td>
      <td className="px-3 py-2.5">
        {of.what === 'came_back' ? t`An earlier payout that came back. No tax is taken of it again.` : what}
        {of.pieces > 1 && ` ×${count(of.pieces)}`}
        {back && (
          <span className="flex items-start gap-1.5">
            <Undo2 aria-hidden className="mt-0.5 size-4 shrink-0" />
            {of.why === 'refund'
              ? t`A refund undid the sale, or a part of it, after this commission could be paid out.`
              : t`The buyer's payment was reversed after this commission could be paid out.`}
          </span>
        )}
      </td>
      <td className="whitespace-nowrap px-3 py-2.5 text-right max-sm:hidden">
        {(of.order_id || of.voucher_id) && !back ? amount(of.base_satang) : ''}
      </td>
      <td className="whitespace-nowrap px-[18px] py-2.5 text-right font-semibold">{amount(of.amount_satang)}</td>
    </tr>
  );
}

/** What the bank's files and people have said of it. */
function Results({ of }: { of: Story['results'] }) {
  const { t, i18n } = useLingui();
  const became = {
    applied: '',
    known: t`Known already, changed nothing`,
    contradicts: t`Something else was said before, so nothing was changed`,
  };
  return (
    <RecordCard title={t`What was said of it`}>
      <ul className="divide-y">
        {of.map((one, i) => {
          const at = dateTime(one.at);
          return (
            <li key={i} className="py-2.5">
              <p className="font-medium">{[i18n._(outcomes[one.outcome]), date(one.day)].join(' ')}</p>
              {one.reason && <p>{one.reason}</p>}
              <p className="text-caption text-quiet">
                {one.file ? t`${one.by} read ${one.file} ${at}` : t`${one.by} said so ${at}`}
              </p>
              {became[one.answer] && <p className="text-caption text-warn-text">{became[one.answer]}</p>}
            </li>
          );
        })}
      </ul>
    </RecordCard>
  );
}

function Before({ of }: { of: Story['before'] }) {
  const { t } = useLingui();
  const sum = baht(of.net_satang);
  return (
    <Card office className="flex items-center gap-2.5 px-[18px] py-4 text-muted-foreground">
      <History aria-hidden className="size-[18px] shrink-0" />
      {of.payouts > 0
        ? t`Paid ${plural(of.payouts, { one: '# time', other: '# times' })} before, ${sum} in all`
        : t`Not paid before`}
    </Card>
  );
}

/** The slip of what was paid, and the certificate of what was withheld of it once it is issued. */
function Papers({ story: { record, certificates } }: { story: Story }) {
  const { t, i18n } = useLingui();
  const onError = (error: Error) => toast({ tone: 'bad', title: errorSentence(i18n, error) });
  const slip = useMutation({ mutationFn: () => download('/api/owner/payout/slip/{id}', record.id), onError });
  const certificate = useMutation({
    mutationFn: (id: string) => download('/api/owner/taxcertificate/file/{id}', id),
    onError,
  });
  const issued = certificates.find(({ state }) => state === 'issued');
  if (record.transfer_id || (record.state !== 'paid' && record.state !== 'returned')) return null;
  return (
    <>
      {issued && (
        <Button
          size="office"
          variant="outline"
          disabled={certificate.isPending}
          onClick={() => certificate.mutate(issued.id)}
        >
          <FileCheck aria-hidden />
          {t`Tax certificate`}
        </Button>
      )}
      <Button size="office" variant="outline" disabled={slip.isPending} onClick={() => slip.mutate()}>
        <FileText aria-hidden />
        {t({ message: 'Slip', context: 'of a payout' })}
      </Button>
    </>
  );
}

/** Leaves somebody of a draft to the next run, as long as nobody is asked to approve it. */
function Postpone({ story }: { story: Story }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const { record } = story;
  const who = record.payee_name || '–';
  const postpone = useMutation({
    mutationFn: () => call('/api/owner/payout/postpone', { id: record.id }),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`Left to the next run` });
      setOpen(false);
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByRun.test(String(queryKey[0])) }),
  });
  const may = story.run_state === 'draft' && !story.run_waits && record.state === 'ready';
  if (!may || !can(payoutModule, 'i')) return null;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="office" variant="outline">
          <Pause aria-hidden />
          {t`Leave to the next run`}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t`Leave ${who} to the next run?`}
        description={
          record.transfer_id
            ? t`This run does not transfer it. It waits for the next one.`
            : t`This run does not pay ${who}. Everything waits for the next one.`
        }
        foot={
          <div className="flex justify-end gap-2.5">
            <Button size="office" variant="outline" onClick={() => setOpen(false)}>{t`Look again`}</Button>
            <Button size="office" disabled={postpone.isPending} onClick={() => postpone.mutate()}>
              {t`Leave to the next run`}
            </Button>
          </div>
        }
      >
        <FaultNote error={postpone.error} />
      </DialogContent>
    </Dialog>
  );
}
