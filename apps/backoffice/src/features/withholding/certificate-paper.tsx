import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { download } from '@wlv/client/download';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { Download, FilePen } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import type { RecordOf } from '../../resource/resource.ts';
import { changedByTax, taxModule } from './tax-states.ts';

/** The paper itself, and another in its place where it is wrong. */
export default function CertificatePaper({ record }: { record: RecordOf<'taxcertificate'> }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [replacing, setReplacing] = useState(false);
  const paper = useMutation({
    mutationFn: () => download('/api/owner/taxcertificate/file/{id}', record.id),
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  return (
    <div className="flex flex-wrap justify-end gap-2.5">
      {record.state === 'issued' && can(taxModule, 'u') && (
        <Button size="office" variant="outline" onClick={() => setReplacing(true)}>
          <FilePen aria-hidden />
          {t`Issue it anew`}
        </Button>
      )}
      <Button size="office" disabled={paper.isPending} onClick={() => paper.mutate()}>
        <Download aria-hidden />
        {t`Download the certificate`}
      </Button>
      <Dialog open={replacing} onOpenChange={setReplacing}>
        {replacing && <Replace id={record.id} onDone={() => setReplacing(false)} />}
      </Dialog>
    </div>
  );
}

function Replace({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const words = reason.trim();
  const replace = useMutation({
    mutationFn: () => call('/api/owner/taxcertificate/replace', { id, reason: words }),
    onSuccess: (made) => {
      toast({ tone: 'ok', title: t`A new certificate was issued` });
      onDone();
      void navigate({ to: '/owner/$screen/$id', params: { screen: 'taxcertificatelist', id: made.id } });
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByTax.test(String(queryKey[0])) }),
  });
  return (
    <Question
      title={t`Issue the certificate anew?`}
      line={t`This one becomes void and keeps its number. The new one has a number of its own, names this one, and says what the organisation and the payee are called now. The sums and the day stay.`}
      button={t`Issue it anew`}
      of={replace}
      onYes={() => (words ? replace.mutate() : setTried(true))}
      onDone={onDone}
    >
      <Field label={t`Why`} error={tried && !words ? t`Please fill this in` : undefined}>
        <Textarea value={reason} maxLength={300} rows={2} onChange={(change) => setReason(change.target.value)} />
      </Field>
    </Question>
  );
}
