import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import type { Detail } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import { Note } from '@wlv/ui/note';
import { CircleAlert, CircleCheck, FileUp, TriangleAlert } from 'lucide-react';
import { useRef } from 'react';

type Became = Detail<'/api/owner/payoutrun/result'>;

/** As many letters as the server takes. */
const most = 2_000_000;

/** Reads what the bank answers from a file, and says what became of it. Reading one twice changes nothing. */
export function ReadResult({
  send,
  changes,
  onDone,
}: {
  send: (file: { name: string; text: string }) => Promise<Became>;
  /** The calls whose answers are others then. */
  changes: RegExp;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const read = useMutation({
    mutationFn: async (file: File) => {
      const text = await textOf(file);
      if (text.length > most) throw new ApiError('too large', { code: 413, fault: 'input.too_large' });
      return send({ name: file.name, text });
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changes.test(String(queryKey[0])) }),
  });
  return (
    <DialogContent
      title={t`Read the bank's answer`}
      description={t`A csv file with the columns reference, amount, outcome (paid, failed or returned), day (2026-11-30) and reason. If one row does not fit, nothing of the file is read.`}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Close`}</Button>
          <Button
            size="office"
            variant={read.isSuccess ? 'outline' : 'default'}
            disabled={read.isPending}
            onClick={() => input.current?.click()}
          >
            <FileUp aria-hidden />
            {read.data ? t`Read another file` : t`Choose the file`}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            hidden
            aria-label={t`The bank's answer`}
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) read.mutate(file);
              event.target.value = '';
            }}
          />
        </div>
      }
    >
      <div className="grid gap-3" aria-live="polite">
        {read.isPending && <p className="text-quiet">{t`Reading ${read.variables.name}…`}</p>}
        <Refused error={read.error} />
        {read.data && <WhatBecame of={read.data} name={read.variables.name} />}
      </div>
    </DialogContent>
  );
}

/** Excel in Thai writes its files in the letters of Windows unless it is asked for UTF-8. */
async function textOf(file: File) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-874').decode(bytes);
  }
}

/** Why nothing of a file was read: which row and column, where it is one of these. */
function Refused({ error }: { error: Error | null }) {
  const { t, i18n } = useLingui();
  const rows = (error instanceof ApiError ? error.fields : []).flatMap(({ path, fault }) => {
    const [, row, column] = /^rows\.(\d+)\.(\w+)$/.exec(path) ?? [];
    return row && column ? [{ path, place: t`Row ${Number(row) + 1}, ${column}`, fault }] : [];
  });
  if (!rows.length) return <FaultNote error={error} />;
  return (
    <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} title={t`Nothing of this file was read`}>
      <p>{t`Please mend it and read it again. Rows are counted below the line of the columns' names.`}</p>
      <ul className="mt-1.5 grid gap-1">
        {rows.map(({ path, place, fault }) => (
          <li key={path}>
            {place}: {faultSentence(i18n, fault)}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function WhatBecame({ of, name }: { of: Became; name: string }) {
  const { t } = useLingui();
  const { rows, applied, known, contradicts } = of;
  return (
    <>
      <Note
        tone="ok"
        icon={<CircleCheck aria-hidden />}
        title={t`${plural(rows, { one: '# row', other: '# rows' })} of ${name} read`}
      >
        <p>{t`${plural(applied, { one: '# payout', other: '# payouts' })} changed by it.`}</p>
        {known > 0 && (
          <p>{t`${plural(known, { one: '# row was known already and changed nothing.', other: '# rows were known already and changed nothing.' })}`}</p>
        )}
      </Note>
      {contradicts.length > 0 && (
        <Note tone="warn" icon={<TriangleAlert aria-hidden />} title={t`Something else was said of these before`}>
          <p>{t`It was written down, and nothing was changed. Please ask your bank which is right.`}</p>
          <ul className="mt-1.5 max-h-40 overflow-y-auto">
            {contradicts.map((reference, i) => (
              <li key={i}>{reference}</li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}
