import { useLingui } from '@lingui/react/macro';
import { clsx } from 'clsx';
import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { dismiss, type ShownToast, type Tone, useToasts } from './toast.tsx';

const icons = { ok: Check, warn: TriangleAlert, bad: CircleAlert, info: Info };
const tiles: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
  info: 'bg-info-soft text-info-text',
};

/** Where toasts appear: at the bottom, at its right in the office, above whatever foot stands there. Once per app. */
export function Toaster() {
  const { t } = useLingui();
  const messages = useToasts();
  const { viewport, bottom } = useAboveFeet(messages.length > 0);
  return (
    <Radix.Provider duration={5000} label={t`Message`} swipeDirection="down">
      {messages.map((message) => (
        <ToastCard key={message.id} message={message} onGone={() => dismiss(message.id)} />
      ))}
      <Radix.Viewport
        ref={viewport}
        style={{ bottom }}
        className="fixed inset-x-4 z-[60] grid gap-2.5 outline-none sm:inset-x-auto sm:right-6 sm:w-96"
      />
    </Radix.Provider>
  );
}

/** How far from the bottom, and from the foot below, toasts stand, in pixels. */
const gap = 16;

/** Keeps what says something off the feet of the page and of what lies over it: an element with `data-foot` is one. */
function useAboveFeet(shown: boolean) {
  const viewport = useRef<HTMLOListElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    if (!shown) return;
    const place = () => viewport.current && setRoom(roomOfFeet(viewport.current.getBoundingClientRect()));
    place();
    const seen = new MutationObserver(place);
    seen.observe(document.body, { childList: true, subtree: true });
    addEventListener('resize', place);
    addEventListener('scroll', place, { capture: true, passive: true });
    return () => {
      seen.disconnect();
      removeEventListener('resize', place);
      removeEventListener('scroll', place, { capture: true });
    };
  }, [shown]);
  return { viewport, bottom: room + gap };
}

/** How high feet stand at the bottom of the screen, one on another, where they are as far left or right as `place`. */
function roomOfFeet(place: DOMRect) {
  return [...document.querySelectorAll('[data-foot]')]
    .map((foot) => foot.getBoundingClientRect())
    .filter(({ height, left, right }) => height > 0 && left < place.right && right > place.left)
    .sort((a, b) => b.bottom - a.bottom)
    .reduce(
      (room, { top, bottom }) => (innerHeight - bottom <= room + gap ? Math.max(room, innerHeight - top) : room),
      0,
    );
}

function ToastCard({ message, onGone }: { message: ShownToast; onGone: () => void }) {
  const { t } = useLingui();
  const Icon = icons[message.tone];
  return (
    <Radix.Root
      data-slot="toast"
      {...(message.tone === 'bad' ? { duration: Number.POSITIVE_INFINITY } : {})}
      onOpenChange={(open) => !open && onGone()}
      className="flex items-center gap-3 rounded-touch bg-popover px-3.5 py-3 text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:slide-in-from-bottom-4"
    >
      <span className={clsx('grid size-[34px] shrink-0 place-items-center rounded-small', tiles[message.tone])}>
        <Icon aria-hidden className="size-[19px]" />
      </span>
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-sm font-medium">{message.title}</Radix.Title>
        {message.line && <Radix.Description className="text-caption text-quiet">{message.line}</Radix.Description>}
      </div>
      {message.action ? (
        <Radix.Action
          altText={message.action.label}
          onClick={message.action.onClick}
          className="min-h-11 px-1 text-sm font-medium text-brand-text"
        >
          {message.action.label}
        </Radix.Action>
      ) : (
        <Radix.Close aria-label={t`Close`} className="grid size-11 place-items-center text-quiet">
          <X aria-hidden className="size-4" />
        </Radix.Close>
      )}
    </Radix.Root>
  );
}
