import { useLingui } from '@lingui/react/macro';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Checkbox } from './checkbox.tsx';
import { FormError } from './field.tsx';

export interface ConsentText {
  id: string;
  kind: 'pdpa' | 'terms';
  title: string;
  body: string;
}

/** Texts to be read and accepted before going on, over the whole screen; the way out is to sign out. */
export function ConsentSheet({
  mark,
  brand,
  texts,
  busy,
  problem,
  onAccept,
  onLeave,
}: {
  mark: ReactNode;
  brand: string;
  texts: ConsentText[];
  busy: boolean;
  problem?: ReactNode;
  onAccept: (ids: string[]) => void;
  onLeave: () => void;
}) {
  const { t } = useLingui();
  const [ticked, setTicked] = useState<string[]>([]);
  const [asked, setAsked] = useState(false);

  const page = useRef<HTMLDivElement>(null);

  const accept = () => {
    setAsked(true);
    if (texts.every(({ id }) => ticked.includes(id))) onAccept(texts.map(({ id }) => id));
    else requestAnimationFrame(() => page.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };

  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Content
          data-slot="consent-sheet"
          // The page as a whole is read first, not the first text that scrolls.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className="fixed inset-0 z-50 flex flex-col bg-background text-foreground outline-none"
        >
          <div ref={page} className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto max-w-[640px] px-4 sm:px-6">
              <header className="pb-5 pt-9">
                {mark}
                <Radix.Title className="mt-4 text-h1 font-semibold">{t`Before you go on`}</Radix.Title>
                <Radix.Description className="mt-1 text-row text-muted-foreground">
                  {t`${brand} asks you to read and accept this. You are asked once for each version.`}
                </Radix.Description>
              </header>
              <div className="grid grid-cols-1 gap-3.5 pb-6">
                {texts.map((text) => (
                  <Text
                    key={text.id}
                    text={text}
                    ticked={ticked.includes(text.id)}
                    missing={asked && !ticked.includes(text.id)}
                    onTick={(on) => setTicked(on ? [...ticked, text.id] : ticked.filter((id) => id !== text.id))}
                  />
                ))}
              </div>
            </div>
          </div>
          <footer className="safe-bottom-16 bg-card px-4 pt-3 shadow-foot sm:px-6">
            <div className="mx-auto grid max-w-[592px] grid-cols-1 gap-1.5">
              {problem}
              <Button wide disabled={busy} onClick={accept}>
                {busy ? t`Saving…` : t`Accept and go on`}
              </Button>
              <Button variant="ghost" wide disabled={busy} onClick={onLeave}>
                {t`Not now, sign out`}
              </Button>
            </div>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Text({
  text,
  ticked,
  missing,
  onTick,
}: {
  text: ConsentText;
  ticked: boolean;
  missing: boolean;
  onTick: (on: boolean) => void;
}) {
  const { t } = useLingui();
  const id = useId();
  const { title } = text;
  return (
    <Card className="p-4">
      <h2 id={`${id}-title`} className="text-base font-semibold">
        {title}
      </h2>
      <section
        aria-labelledby={`${id}-title`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard
        tabIndex={0}
        className="mt-1.5 max-h-[36dvh] overflow-y-auto whitespace-pre-line text-row text-muted-foreground"
      >
        {text.body}
      </section>
      <div className="mt-3 flex items-center gap-3 border-t pt-3.5">
        <Checkbox
          id={`${id}-tick`}
          checked={ticked}
          onCheckedChange={(on) => onTick(on === true)}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? `${id}-missing` : undefined}
        />
        <label htmlFor={`${id}-tick`} className="text-sm">
          {t`I have read and accept “${title}”`}
        </label>
      </div>
      {missing && (
        <FormError id={`${id}-missing`} className="mt-2">
          {text.kind === 'pdpa' ? t`Please review PDPA` : t`Please review the Terms and Conditions`}
        </FormError>
      )}
    </Card>
  );
}
