import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call, mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { loadFaults } from '@wlv/client/faults';
import { session } from '@wlv/client/session';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Steps } from '@wlv/ui/steps';
import { CloudAlert, CloudCheck, CloudUpload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  canBeVerified,
  check,
  type Filling,
  type Form,
  type Step,
  stepOf,
  steps,
  useKeepApplication,
  type Wrong,
  wrongOf,
} from '../../application/application.ts';
import { AccountStep } from './account-step.tsx';
import { CodeStep } from './code-step.tsx';
import { Frame } from './frame.tsx';
import { PicturesStep } from './pictures-step.tsx';
import { SelfStep } from './self-step.tsx';

const pause = 700;

/** What is filled in, kept on the server as it is typed. */
function useKept(draft: Filling) {
  const [form, setForm] = useState<Form>(draft.form);
  const kept = useRef(JSON.stringify(draft.form));
  const keep = useKeepApplication();
  const save = useMutation({ ...mutation('/api/agent/register/save'), onSuccess: keep });
  const { mutateAsync } = save;
  const text = JSON.stringify(form);

  const flush = async () => {
    if (kept.current === text) return;
    await mutateAsync(form);
    kept.current = text;
  };
  const latest = useRef(flush);
  latest.current = flush;
  useEffect(() => {
    if (kept.current === text) return;
    const timer = setTimeout(() => void latest.current().catch(() => undefined), pause);
    return () => clearTimeout(timer);
  }, [text]);
  // What was typed last goes out with the page; who has signed out meanwhile keeps nothing.
  const left = useRef(form);
  left.current = form;
  useEffect(
    () => () => {
      if (kept.current === JSON.stringify(left.current) || !session.token('agent')) return;
      void call('/api/agent/register/save', left.current).catch(() => undefined);
    },
    [],
  );
  return { form, change: (patch: Partial<Form>) => setForm((now) => ({ ...now, ...patch })), save, flush };
}

/** The form in its steps. Going back loses nothing. */
export function Fill({
  draft,
  title,
  mend,
  onBack,
}: {
  draft: Filling;
  title: string;
  /** What the shop wants mended; the first step that has some of it comes first. */
  mend: string[];
  onBack?: () => void;
}) {
  const { t } = useLingui();
  const { form, change, save, flush } = useKept(draft);
  const [step, setStep] = useState<Step>(mend[0] ? stepOf(mend[0]) : 'self');
  const [wrong, setWrong] = useState<Wrong>({});
  const top = useRef<HTMLDivElement>(null);
  const keep = useKeepApplication();
  const send = useMutation({
    ...mutation('/api/agent/register/send'),
    onSuccess: keep,
    onError: (error) => {
      const refused = wrongOf(error);
      const first = Object.keys(refused)[0];
      if (!first) return;
      setWrong(refused);
      setStep(first === 'mobilenumber' && canBeVerified(form.mobilenumber) ? 'code' : stepOf(first));
    },
  });
  const at = steps.indexOf(step) + 1;
  const count = steps.length;

  // The first field that is wrong is looked at.
  useEffect(() => {
    if (Object.keys(wrong).length) top.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [wrong]);

  const goTo = (next: Step) => {
    setStep(next);
    window.scrollTo(0, 0);
  };
  const back = at > 1 ? () => goTo(steps[at - 2] as Step) : onBack;
  const onward = async () => {
    const found = step === 'self' || step === 'account' ? check(form, step) : {};
    if (Object.keys(found).length) await loadFaults().catch(() => undefined);
    setWrong(found);
    if (Object.keys(found).length) return;
    try {
      await flush();
    } catch {
      return; // the note says so
    }
    if (step === 'self') goTo('account');
    else if (step === 'account') goTo('pictures');
    else if (draft.mobile_verified) send.mutate({});
    else goTo('code');
  };

  const names = {
    self: t`About you`,
    account: t`Account for commission`,
    pictures: t`Pictures`,
    code: t`Your number`,
  };
  return (
    <Frame title={title} onBack={back}>
      <div ref={top} className="mt-3 grid grid-cols-1 gap-5">
        <Steps
          now={at}
          of={count}
          name={names[step]}
          place={t`step ${at} of ${count}`}
          beside={<Kept pending={save.isPending} failed={save.isError} />}
        />
        {step === 'self' && <SelfStep draft={draft} form={form} change={change} wrong={wrong} />}
        {step === 'account' && <AccountStep form={form} change={change} wrong={wrong} />}
        {step === 'pictures' && <PicturesStep draft={draft} form={form} wrong={wrong} onSend={() => void onward()} />}
        {step === 'code' && <CodeStep form={form} onChange={() => goTo('self')} onVerified={() => send.mutate({})} />}
        <FaultNote error={save.error} />
        <FaultNote error={send.error && !Object.keys(wrongOf(send.error)).length ? send.error : null} />
      </div>
      {(step === 'self' || step === 'account') && (
        <ActionFoot className="flex gap-2.5">
          {step === 'account' && (
            <Button variant="outline" onClick={() => goTo('self')}>
              {t`Back`}
            </Button>
          )}
          <Button wide onClick={() => void onward()}>
            {t`Next`}
          </Button>
        </ActionFoot>
      )}
    </Frame>
  );
}

function Kept({ pending, failed }: { pending: boolean; failed: boolean }) {
  const { t } = useLingui();
  if (failed) {
    return (
      <>
        <CloudAlert aria-hidden />
        {t`Not kept yet`}
      </>
    );
  }
  return (
    <>
      {pending ? <CloudUpload aria-hidden /> : <CloudCheck aria-hidden />}
      {pending ? t`Keeping it…` : t`What you filled in is kept`}
    </>
  );
}
