import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Detail } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { baht, count, date } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { CalendarPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RunProgress, withSentences } from '../../care/run-progress.tsx';
import { Question } from '../../record/question.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { RecordOf } from '../../resource/resource.ts';

type Return = Detail<'/api/owner/closure/return/preview'>;

/** Gives the days of a closure back to the vouchers that can be used nowhere else. */
export function ReturnDays({ record }: { record: RecordOf<'closure'> }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  const [run, setRun] = useState<string>();
  if (!can('voucher', 'u') || record.status !== 5) return null;
  const done = () => {
    setOpen(false);
    setRun(undefined);
  };
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setOpen(true)}>
        <CalendarPlus aria-hidden />
        {t`Give days back`}
      </Button>
      <Dialog open={open} onOpenChange={(next) => (next ? setOpen(true) : done())}>
        {open &&
          (run ? (
            <RunProgress id={run} onDone={done} />
          ) : (
            <Ask closure={record.id ?? ''} onStarted={setRun} onDone={done} />
          ))}
      </Dialog>
    </>
  );
}

/** How many vouchers, which, and from when to when each can be used. */
function Ask({
  closure,
  onStarted,
  onDone,
}: {
  closure: string;
  onStarted: (run: string) => void;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const preview = useQuery({
    queryKey: ['/api/owner/closure/return/preview', { id: closure }] as const,
    queryFn: ({ signal }) => withSentences(call('/api/owner/closure/return/preview', { id: closure }, { signal })),
    retry: false,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: () => callOnce('/api/owner/closure/return', { id: closure }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['/api/owner/closure/return/preview'] });
      void client.invalidateQueries({ queryKey: ['/api/owner/care/runs'] });
      onStarted(id);
    },
  });
  const ask = useMutation({
    mutationFn: () => callOnce('/api/owner/closure/return/ask', { id: closure }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/approval') }),
  });
  const second = preview.data?.needs_second;
  return (
    <Question
      title={t`Give the closed days back`}
      line={t`Vouchers that can be used nowhere else are valid for as many days longer as they could not be used. Each day is given once, and stays when the closure is shortened.`}
      keep={t`Not now`}
      button={
        <>
          {second ? <Users aria-hidden /> : <CalendarPlus aria-hidden />}
          {second ? t`Ask for it` : t`Give days back`}
        </>
      }
      disabled={!preview.data?.can || preview.isFetching}
      of={{ error: start.error ?? ask.error ?? preview.error, isPending: start.isPending || ask.isPending }}
      onYes={() => (second ? ask.mutate() : start.mutate())}
      onDone={onDone}
    >
      {preview.isPending && <p role="status" className="text-quiet">{t`Looking at the vouchers…`}</p>}
      {preview.data && <Found of={preview.data} />}
    </Question>
  );
}

function Found({ of }: { of: Return }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const [days, kept] = [count(of.days), baht(of.kept_satang)];
  return (
    <>
      <div role="status" className="grid gap-1.5 rounded-control bg-muted px-3.5 py-3">
        <p className="font-medium">
          {of.can ? (
            <>
              <Plural value={of.can} one="# voucher is valid longer" other="# vouchers are valid longer" />
              {' · '}
              {t`${days} days in all`}
            </>
          ) : (
            t`No voucher has a day to get.`
          )}
        </p>
        {of.given > 0 && (
          <p>
            <Plural
              value={of.given}
              one="# voucher has days of this closure already."
              other="# vouchers have days of this closure already."
            />
          </p>
        )}
        {of.revived > 0 && (
          <p>
            <Plural
              value={of.revived}
              one="# of these is over and can be used again."
              other="# of these are over and can be used again."
            />{' '}
            {t`${kept} that the shop kept of them is set aside until they are used.`}
          </p>
        )}
        {of.needs_second && (
          <p>{t`These are more than one person may extend at once, so a second person has to approve it.`}</p>
        )}
        {of.cannot.map((why) => (
          <p key={why.fault} className="text-sm text-quiet">
            <Trans>
              Not to {why.vouchers}: {faultSentence(i18n, why.fault)}
            </Trans>
          </p>
        ))}
      </div>
      {of.vouchers.length > 0 && (
        <ul className="max-h-72 divide-y overflow-y-auto text-sm">
          {of.vouchers.map((voucher) => (
            <li key={voucher.voucher_id} className="flex flex-wrap items-baseline gap-x-3 py-2">
              <RecordLink table="voucher" id={voucher.voucher_id}>
                {voucher.code}
              </RecordLink>
              <span className="min-w-0 grow truncate text-quiet">{text(voucher, 'name')}</span>
              <span className="tabular-nums">
                {date(voucher.valid_until)} → {date(voucher.valid_until_then)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {of.can > of.vouchers.length && <p className="text-quiet">{t`The first ${of.vouchers.length} are shown.`}</p>}
    </>
  );
}
