import { useLingui } from '@lingui/react/macro';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { type Card, cards, GiftCard } from './gift-card.tsx';

const all = Object.keys(cards) as Card[];
/** How wide a card is, and how far the next one begins. */
const [width, step] = [148, 160];

/** The drawn cards side by side; a ring goes to the one that is chosen. */
export function CardChoice({ value, onChange }: { value: Card; onChange: (card: Card) => void }) {
  const { t, i18n } = useLingui();
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-row font-semibold">{t`Card`}</legend>
      <div className="no-scrollbar -mx-4 overflow-x-auto px-4 py-1.5 sm:-mx-6 sm:px-6">
        <div className="relative flex w-max gap-3">
          {all.map((card) => (
            <label
              key={card}
              style={{ width }}
              className="relative block cursor-pointer rounded-touch has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-ring"
            >
              <input
                type="radio"
                name="card"
                className="sr-only"
                checked={card === value}
                onChange={({ target }) => {
                  onChange(card);
                  target.closest('label')?.scrollIntoView({ block: 'nearest', inline: 'center' });
                }}
              />
              {/* Named by the words below it. */}
              <div aria-hidden className="h-[111px] overflow-hidden rounded-touch">
                <GiftCard card={card} />
              </div>
              <span
                className={clsx(
                  'block pt-[7px] text-center text-sm',
                  card === value ? 'font-semibold' : 'text-muted-foreground',
                )}
              >
                {i18n._(cards[card])}
              </span>
            </label>
          ))}
          <span
            aria-hidden
            style={{ width, transform: `translateX(${all.indexOf(value) * step}px)` }}
            className="pointer-events-none absolute left-0 top-0 h-[111px] rounded-touch shadow-[0_0_0_2.5px_var(--bg),0_0_0_5px_var(--brand-mark)] transition-transform duration-[160ms] motion-reduce:transition-none"
          >
            <span className="absolute right-2 top-2 grid size-[26px] place-items-center rounded-full bg-primary text-primary-foreground shadow-[0_0_0_2px_#fff]">
              <Check className="size-4" strokeWidth={3} />
            </span>
          </span>
        </div>
      </div>
    </fieldset>
  );
}
