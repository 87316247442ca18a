import { Plural, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { baht, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { FileText, TriangleAlert } from 'lucide-react';
import { usePerson } from '../../access/person.ts';
import { RecordCard } from '../../record/record-frame.tsx';
import { changedByTax, forms, monthOf, taxModule } from './tax-states.ts';

const next = query('/api/owner/taxreturn/next', {});

type Open = Detail<'/api/owner/taxreturn/next'>['open'][number];

/** What was withheld and is in no file yet, and what keeps certificates from being issued. */
export default function NextReturns() {
  const { t } = useLingui();
  const { data, error } = useQuery(next);
  if (error) return <FaultNote error={error} />;
  if (!data) return <Skeleton className="h-48 rounded-office" />;
  return (
    <>
      {!data.payer && (
        <Note tone="warn" icon={<TriangleAlert aria-hidden />} title={t`Certificates need who you are`}>
          {t`Legal name, tax ID, branch and address are missing in the contact details. Certificates are issued by themselves once they are there.`}
          {data.waiting > 0 && (
            <>
              {' '}
              <Plural value={data.waiting} one="# certificate waits for it." other="# certificates wait for it." />
            </>
          )}
        </Note>
      )}
      <RecordCard title={t`To be filed`}>
        {data.open.length === 0 ? (
          <p className="text-muted-foreground">{t`Nothing that was withheld is still to be filed.`}</p>
        ) : (
          <ul className="divide-y">
            {data.open.map((open) => (
              <OneMonth key={open.form + open.month} open={open} />
            ))}
          </ul>
        )}
      </RecordCard>
    </>
  );
}

function OneMonth({ open }: { open: Open }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const text = useTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const due = date(open.due);
  const make = useMutation({
    mutationFn: () => call('/api/owner/taxreturn/make', { form: open.form, month: open.month }),
    onSuccess: ({ id }) => {
      toast({ tone: 'ok', title: t`The file was made` });
      void navigate({ to: '/owner/$screen/$id', params: { screen: 'taxreturnlist', id } });
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByTax.test(String(queryKey[0])) }),
  });
  return (
    <li className="grid gap-1.5 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{[text(forms[open.form], 'name'), monthOf(open.month)].join(' · ')}</span>
        <span className="font-semibold">{baht(open.withheld_satang)}</span>
      </p>
      <p className="text-caption text-quiet">
        <Plural value={open.certificates} one="# certificate" other="# certificates" />
        {' · '}
        {open.over ? t`to be filed by ${due}` : t`the month is not over`}
      </p>
      <FaultNote error={make.error} />
      {open.over && can(taxModule, 'u') && (
        <Button size="office" variant="outline" disabled={make.isPending} onClick={() => make.mutate()}>
          <FileText aria-hidden />
          {t`Make the file`}
        </Button>
      )}
    </li>
  );
}
