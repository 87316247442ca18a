import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { BrandMark, useBrand, usePage } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { date, time } from '@wlv/ui/format';
import { clsx } from 'clsx';
import { FileCheck, Handshake, Link2, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Application, useKeepApplication } from '../../application/application.ts';
import { OtherAccount } from '../../application/intro.tsx';
import { useArea } from '../../area.tsx';
import { profileKey } from '../../shell/profile.ts';
import { Frame } from './frame.tsx';

/** The form lies at the shop. */
export function Waiting({ application }: { application: Application }) {
  const { t } = useLingui();
  const { go } = useArea();
  const client = useQueryClient();
  const keep = useKeepApplication();
  const back = useMutation({
    ...mutation('/api/agent/register/takeback'),
    onSuccess: keep,
    onSettled: () => client.invalidateQueries({ queryKey: ['/api/agent/register/get'] }),
  });
  const { sent, state } = application;
  const sells = state === 'approved' || state === 'suspended';
  if (!sent) return null;
  return (
    <Frame title={t`Agent`} onBack={sells ? () => void go('profile') : undefined}>
      <Applied name={sent.name} />
      <div className="mt-6 text-center">
        <h2 className="text-h1 font-semibold">{sells ? t`Your new details are sent` : t`Your form is sent`}</h2>
        <p className="mt-1 text-row text-quiet">
          {sells
            ? t`You go on selling meanwhile, and are paid by the old ones.`
            : t`If nobody answers within 30 days, you can send it again.`}
        </p>
      </div>
      <Card className="mt-5 px-4 py-4">
        <ol>
          <Line
            state="done"
            icon={<FileCheck aria-hidden />}
            title={t`Form and pictures are sent`}
            beside={time(sent.sent_at)}
          >
            {date(sent.sent_at)}
          </Line>
          <Line state="now" icon={<Store aria-hidden />} title={t`The shop checks name, account and pictures`}>
            {t`We tell you in LINE when it has answered`}
          </Line>
          <Line
            state="next"
            icon={<Link2 aria-hidden />}
            title={sells ? t`You are paid by the new details` : t`You get your sale links`}
          >
            {sells ? t`A new account is paid to after 7 days` : t`Share them and earn commission at once`}
          </Line>
        </ol>
      </Card>
      <FaultNote className="mt-4" error={back.error} />
      <div className="mt-5 grid gap-2">
        <Button
          wide
          variant="outline"
          onClick={() => {
            void client.invalidateQueries({ queryKey: ['/api/agent/register/get'] });
            void client.invalidateQueries({ queryKey: profileKey });
          }}
        >
          {t`Has the shop answered?`}
        </Button>
        <Button wide variant="ghost" disabled={back.isPending} onClick={() => back.mutate({})}>
          {t`Take the form back and change it`}
        </Button>
        {!sells && <OtherAccount />}
      </div>
    </Frame>
  );
}

/** A ticket that is not yet his. */
function Applied({ name }: { name: string }) {
  const { t } = useLingui();
  const brand = useBrand();
  const { org } = usePage();
  return (
    <div className="mt-3 rounded-card border-2 border-dashed border-brand-mark bg-accent p-4">
      <div className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-3 font-medium">
          <BrandMark size={40} key={org?.id} />
          <span className="truncate">{brand}</span>
        </span>
        <span className="flex items-center gap-1.5 rounded-small bg-secondary px-2.5 py-1 text-sm font-medium text-secondary-foreground">
          <Handshake aria-hidden className="size-4" />
          {t`Agent`}
        </span>
      </div>
      <p className="mt-8 text-h2 font-semibold">{name}</p>
      <p className="text-brand-text">{t`Waits for the shop`}</p>
    </div>
  );
}

function Line({
  state,
  icon,
  title,
  beside,
  children,
}: {
  state: 'done' | 'now' | 'next';
  icon: ReactNode;
  title: string;
  beside?: string;
  children: ReactNode;
}) {
  return (
    <li className="relative flex gap-4 pb-5 last:pb-0" aria-current={state === 'now' ? 'step' : undefined}>
      {state !== 'next' && (
        <span
          aria-hidden
          className={clsx(
            'absolute left-[19px] top-10 h-[calc(100%-40px)] border-l-2 border-brand-mark',
            state === 'now' && 'border-dotted',
          )}
        />
      )}
      <span
        className={clsx(
          'grid size-10 shrink-0 place-items-center rounded-full [&_svg]:size-5',
          state === 'done' && 'bg-accent text-brand-text',
          state === 'now' && 'border-2 border-brand-mark text-brand-text',
          state === 'next' && 'border border-dashed border-input text-quiet',
        )}
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-3">
          <span className={clsx('text-row font-medium', state === 'next' && 'text-muted-foreground')}>{title}</span>
          {beside && <span className="text-sm text-quiet">{beside}</span>}
        </span>
        <span className="block text-caption text-quiet">{children}</span>
      </span>
    </li>
  );
}
