import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { Gift } from './gift.ts';

export type Card = Gift['card'];

/** What each card is for, in the order in which they are offered. */
export const cards: Record<Card, ReturnType<typeof msg>> = {
  birthday: msg`Happy birthday`,
  thanks: msg`Thank you`,
  love: msg`With love`,
  congrats: msg`Congratulations`,
  because: msg`Just because`,
  getwell: msg`Get well soon`,
  baby: msg`Welcome, baby`,
  songkran: msg`Happy Songkran`,
};

const drawings = import.meta.glob<string>('./cards/*.svg', { query: '?raw', import: 'default' });

/** A drawn card in the organisation's colours, 4:3. It comes when it is shown, for it is large; until then its place is kept. */
export function GiftCard({ card, className }: { card: Card; className?: string }) {
  const { i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const { data } = useQuery({
    queryKey: ['gift-card', card],
    queryFn: async () => (await drawings[`./cards/${card}.svg`]?.()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    // Inlined, because a picture of its own would not have the page's colours.
    const drawn = new DOMParser().parseFromString(data, 'image/svg+xml').documentElement;
    drawn.setAttribute('aria-hidden', 'true');
    drawn.setAttribute('class', 'size-full');
    place.current?.replaceChildren(drawn);
  }, [data]);
  return (
    <div
      ref={place}
      role="img"
      aria-label={i18n._(cards[card])}
      className={clsx('aspect-[4/3] w-full overflow-hidden bg-brand-soft', className)}
    />
  );
}
