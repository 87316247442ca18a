import { useLingui } from '@lingui/react/macro';
import { useNow } from '@wlv/client/use-now';
import { timeToSecond } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { clsx } from 'clsx';
import { CircleAlert, MapPin, ScanLine } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';

/** Enter presses the main button of what the reference lies on, and Escape leaves it. */
export function useAnswerKeys(onEscape: () => void) {
  const screen = useRef<HTMLElement>(null);
  useEffect(() => {
    screen.current?.querySelector<HTMLElement>('[data-main]')?.focus();
  }, []);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && onEscape();
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [onEscape]);
  return screen;
}

/** The whole screen in one colour that does not follow the theme: the word first, then the details. */
export function ResultScreen({
  good,
  word,
  servicePoint,
  problem,
  actions,
  onEscape,
  children,
}: {
  good: boolean;
  word: string;
  servicePoint: string;
  problem?: string | undefined;
  actions: ReactNode;
  onEscape: () => void;
  children: ReactNode;
}) {
  const screen = useAnswerKeys(onEscape);
  return (
    <main
      ref={screen}
      role="alert"
      className={clsx(
        'fixed inset-0 z-40 overflow-y-auto text-white animate-in fade-in-0 duration-[120ms] [--focus:#fff]',
        good ? 'bg-go' : 'bg-stop',
      )}
    >
      <div className="mx-auto flex min-h-full max-w-[520px] flex-col px-4 pb-6 pt-2.5">
        <p className="flex h-9 items-center gap-2 text-row font-medium">
          <MapPin aria-hidden className="size-5" />
          <span className="min-w-0 flex-1 truncate">{servicePoint}</span>
          <Clock />
        </p>
        <div className="mt-3 grid justify-items-center">
          {good ? <Check /> : <Cross />}
          <h1 className="mt-2 text-center text-result font-bold">{word}</h1>
        </div>
        <div className="mt-4 grid gap-4 text-foreground">{children}</div>
        <div className="mt-auto grid gap-2.5 pt-6">
          {problem && (
            <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />}>
              {problem}
            </Note>
          )}
          {actions}
        </div>
      </div>
    </main>
  );
}

function Clock() {
  return <time className="tabular-nums">{timeToSecond(useNow())}</time>;
}

/** Yes and no differ in shape as well as in colour. */
function Check() {
  return (
    <svg aria-hidden width="96" height="96" viewBox="0 0 96 96">
      <circle cx="48" cy="48" r="48" fill="#fff" />
      <path
        d="m28 50 13 13 27-29"
        fill="none"
        stroke="var(--color-go)"
        strokeWidth="8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Cross() {
  return (
    <svg aria-hidden width="96" height="96" viewBox="0 0 96 96">
      <rect width="96" height="96" rx="26" fill="#fff" />
      <path d="m33 33 30 30m0-30-30 30" stroke="var(--color-stop)" strokeWidth="8" strokeLinecap="round" />
    </svg>
  );
}

/** The one button that Enter presses. */
export function MainButton({ good, className, ...props }: ComponentProps<'button'> & { good: boolean }) {
  return (
    <button
      type="button"
      data-main
      className={clsx(
        'flex h-16 w-full items-center justify-center gap-2.5 rounded-card bg-white text-[19px] font-semibold leading-[30px] disabled:opacity-90',
        good ? 'text-go' : 'text-stop',
        className,
      )}
      {...props}
    />
  );
}

export function SecondButton({ className, ...props }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={clsx('h-[52px] w-full rounded-touch bg-black/25 text-base font-semibold text-white', className)}
      {...props}
    />
  );
}

export function NextButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui();
  return (
    <MainButton good={false} onClick={onClick}>
      <ScanLine aria-hidden className="size-6" />
      {t`Scan the next one`}
    </MainButton>
  );
}
