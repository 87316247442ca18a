import { useLingui } from '@lingui/react/macro';
import { Mark } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { date } from '@wlv/ui/format';
import { clsx } from 'clsx';
import { BadgeCheck, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';

type Hand = 'gift' | 'offer';

/** How many hands are drawn, the first and the last among them. */
const most = 3;

/**
 * The chain of hands: the shop, whoever has had it since, and you. `last` names the one who has it now, where that is not the reader; then
 * the reader stands behind a dotted line.
 */
export function HandChain({ soldAt, hands, last }: { soldAt: string; hands: Hand[]; last?: string }) {
  const { t } = useLingui();
  const how = { gift: t`as a gift`, offer: t`bought from the one before` };
  const yours = last === undefined;
  const all = [undefined, ...hands].map((by, i, { length }) => {
    const now = i === length - 1;
    const number = i + 1;
    const name = i === 0 ? t`First hand` : t`Hand ${number}`;
    const who = now && last ? t`${last}… now` : by ? how[by] : '';
    return {
      key: number,
      title: now && yours ? t`You` : name,
      line: now && yours && by ? how[by] : who,
      yours: now && yours,
    };
  });
  const hidden = Math.max(0, all.length - most);
  const shown = hidden ? [...all.slice(0, 1), ...all.slice(all.length - (most - 1))] : all;
  return (
    <Card className="px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-medium">{t`Through whose hands it went`}</h2>
        <Chip tone="ok" icon={<BadgeCheck aria-hidden />}>
          {t`The shop vouches`}
        </Chip>
      </div>
      <ol className="mt-3 flex">
        <Link icon={<Mark size={24} />} title={t`The shop sold it`} line={date(soldAt)} />
        {shown.map(({ key, title, line, yours }, i) => (
          <Link
            key={key}
            icon={<UserRound />}
            title={title}
            line={hidden > 0 && i === 0 ? t`and ${hidden} more hands` : line}
            yours={yours}
          />
        ))}
        {!yours && <Link icon={<UserRound />} title={t`You`} line={t`with a new code`} yours dotted />}
      </ol>
    </Card>
  );
}

function Link({
  icon,
  title,
  line,
  yours = false,
  dotted = false,
}: {
  icon: ReactNode;
  title: string;
  line: string;
  yours?: boolean;
  /** Not yet. */
  dotted?: boolean;
}) {
  return (
    <li
      className={clsx(
        'relative flex min-w-0 flex-1 flex-col items-center px-1 text-center text-caption',
        "before:absolute before:right-[calc(50%+22px)] before:left-[calc(-50%+22px)] before:top-[18px] before:border-t-2 before:content-[''] first:before:hidden",
        dotted ? 'before:border-dotted before:border-brand-text' : 'before:border-input',
      )}
    >
      <span
        aria-hidden
        className={clsx(
          'grid size-9 place-items-center rounded-full [&_svg]:size-[18px]',
          dotted ? 'border-2 border-dashed border-brand-text text-brand-text' : 'bg-accent text-brand-text',
        )}
      >
        {icon}
      </span>
      <span className={clsx('mt-1.5 font-medium', yours && 'text-brand-text')}>{title}</span>
      <span className="text-quiet">{line}</span>
    </li>
  );
}
