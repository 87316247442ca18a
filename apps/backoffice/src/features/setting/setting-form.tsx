import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import type { FormPath } from '@wlv/client/limits';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { FormPathContext } from '../../form/fields.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { type Setting, type Settings, saveSettings, settingsOf, useSetting, useTakeSetting } from './setting.ts';

interface Words {
  title: string;
  line: string;
}

interface Page<Saved> {
  title: string;
  /** What the button says. */
  save: string;
  /** What is said then, of what became of it where that differs. */
  saved: Words | ((now: Saved) => Words);
  /** Can be put back without leaving. */
  resets?: boolean;
  className?: string;
  children: ReactNode;
}

/** What is asked before some values are saved. */
interface Question<Values> {
  asks: (values: Values) => boolean;
  title: string;
  line: string;
  /** What the button says that saves them, and the one that does not. */
  yes: string;
  no: string;
}

/** A page of the organisation's own record. */
export function SettingForm(page: Page<Setting>) {
  const setting = useSetting();
  return (
    <SettingPage<Settings, Setting>
      {...page}
      line={<SeenAtOnce />}
      limits="/api/owner/setting/save"
      values={settingsOf(setting)}
      send={saveSettings}
      take={useTakeSetting()}
    />
  );
}

function SeenAtOnce() {
  const { t } = useLingui();
  return t`Customers see a change at once, in LINE and on the web.`;
}

/** A page of settings: its head with what saves them, why they were not saved, and its fields. */
export function SettingPage<Values extends FieldValues, Saved>({
  title,
  line,
  save,
  saved,
  resets,
  className,
  children,
  limits,
  values,
  send,
  take,
  question,
}: Page<Saved> & {
  line: ReactNode;
  limits: FormPath;
  values: Values;
  send: (values: Values) => Promise<Saved>;
  /** Puts what was saved in the place of what was read. */
  take: (saved: Saved) => void;
  question?: Question<Values>;
}) {
  const { t } = useLingui();
  useTitle(title);
  const { can } = usePerson();
  const [asks, setAsks] = useState(false);
  const { form, changed, saving, error, submit } = useOfficeForm<Values, Saved>({
    limits,
    values,
    send,
    onSaved: (now) => {
      take(now);
      toast({ tone: 'ok', ...(typeof saved === 'function' ? saved(now) : saved) });
    },
  });

  return (
    <FormProvider {...form}>
      <FormPathContext value={limits}>
        <form
          noValidate
          className={className}
          onSubmit={(event) => {
            event.preventDefault();
            if (question?.asks(form.getValues())) setAsks(true);
            else void submit();
          }}
        >
          <div className="mb-4 flex flex-wrap items-center gap-3">
            <div className="min-w-0 flex-1 max-sm:basis-full">
              <h1 className="text-h1-office font-semibold">{title}</h1>
              <p className="text-muted-foreground">{line}</p>
            </div>
            {resets && (
              <Button variant="ghost" size="office" disabled={!changed} onClick={() => form.reset()}>
                {t`Back to what is saved`}
              </Button>
            )}
            {can('setting', 'u') && (
              <Button type="submit" size="office" disabled={saving || !changed}>
                <Check aria-hidden />
                {saving ? t`Saving…` : save}
              </Button>
            )}
          </div>
          <FaultNote error={error} className="mb-4" />
          {children}
        </form>
        <LeaveQuestion changed={changed} />
        {question && (
          <Dialog open={asks} onOpenChange={setAsks}>
            <DialogContent
              title={question.title}
              description={question.line}
              foot={
                <div className="flex justify-end gap-2.5">
                  <Button size="office" variant="outline" autoFocus onClick={() => setAsks(false)}>
                    {question.no}
                  </Button>
                  <Button
                    size="office"
                    variant="destructive"
                    onClick={() => {
                      setAsks(false);
                      void submit();
                    }}
                  >
                    {question.yes}
                  </Button>
                </div>
              }
            />
          </Dialog>
        )}
      </FormPathContext>
    </FormProvider>
  );
}
