import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call, mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent } from '@wlv/ui/dialog';
import { Note } from '@wlv/ui/note';
import { Check, CirclePause, CirclePlay, MessageSquareText, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';
import { FormPathContext, LongField } from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { Question } from '../../record/question.tsx';
import { useTakeOrganisation } from './changes.ts';
import type { Organisation } from './organisation.ts';

const path = '/api/admin/organize/suspend';

/** Asks why an organisation is suspended, beside what goes on, what stops, and what its customers read. */
export function SuspendDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const take = useTakeOrganisation();
  const name = text(organisation, 'name');
  const { form, saving, error, submit } = useOfficeForm({
    limits: path,
    values: { id: organisation.id, reason: '' },
    send: (values) => call(path, values),
    onSaved: (now) => {
      take(now);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Suspend ${name}`}
        description={t`It holds on every screen and machine within ten seconds, open pages included. It can be resumed at any time.`}
      >
        <FormProvider {...form}>
          <FormPathContext value={path}>
            <form
              noValidate
              className="grid grid-cols-1 gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                void submit();
              }}
            >
              <FaultNote error={error} />
              <LongField
                name="reason"
                label={t`Reason`}
                rows={3}
                help={t`For the platform's own people. Customers do not read it.`}
              />
              <div className="grid gap-3 sm:grid-cols-2">
                <Part good title={t`Goes on`}>
                  <li>{t`Vouchers that were sold are used at the counter`}</li>
                  <li>{t`Refunds are asked for and made`}</li>
                  <li>{t`The owner and staff sign in`}</li>
                </Part>
                <Part title={t`Stops`}>
                  <li>{t`Sales, top-ups and payments`}</li>
                  <li>{t`Gifts and resale; the days of gifts stand still`}</li>
                  <li>{t`New sale links of agents`}</li>
                </Part>
              </div>
              <Note tone="info" icon={<MessageSquareText aria-hidden />} title={t`Customers read`}>
                {t`${name} is closed for now`}
                {'. '}
                {t`Nothing can be bought or given here until it is back. Vouchers that you have can be used as before, until their last day.`}
              </Note>
              <div className="flex justify-end gap-2.5">
                <DialogClose asChild>
                  <Button size="office" variant="outline">{t`Leave it open`}</Button>
                </DialogClose>
                <Button type="submit" size="office" variant="destructive" disabled={saving}>
                  <CirclePause aria-hidden />
                  {t({ message: 'Suspend', context: 'organisation' })}
                </Button>
              </div>
            </form>
          </FormPathContext>
        </FormProvider>
      </DialogContent>
    </Dialog>
  );
}

function Part({ good, title, children }: { good?: boolean; title: string; children: ReactNode }) {
  return (
    <section className="rounded-control border p-4">
      <h3
        className={
          good
            ? 'flex items-center gap-2 font-semibold text-ok-text'
            : 'flex items-center gap-2 font-semibold text-bad-text'
        }
      >
        {good ? <Check aria-hidden className="size-[18px]" /> : <X aria-hidden className="size-[18px]" />}
        {title}
      </h3>
      <ul className="mt-2 grid gap-1.5">{children}</ul>
    </section>
  );
}

/** Asks whether a suspended organisation sells again. */
export function ResumeDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const take = useTakeOrganisation();
  const resume = useMutation({
    ...mutation('/api/admin/organize/resume'),
    onSuccess: (now) => {
      take(now);
      onClose();
    },
  });
  const name = text(organisation, 'name');
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <Question
        title={t`Resume ${name}?`}
        line={t`It sells again at once, and gifts have back the days that stood still.`}
        button={t`Resume`}
        of={resume}
        onYes={() => resume.mutate({ id: organisation.id })}
        onDone={onClose}
      >
        <CirclePlay aria-hidden className="size-6 text-ok-text" />
      </Question>
    </Dialog>
  );
}
