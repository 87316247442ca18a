import { useLingui } from '@lingui/react/macro';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { Heart } from 'lucide-react';
import { useState } from 'react';
import type { Gift } from './gift.ts';

/** How many stand there before all are asked for. */
const first = 4;

/** Who has taken one of an ang-pao, the last first. */
export function Takers({ takers }: { takers: Gift['takers'] }) {
  const { t } = useLingui();
  const [all, setAll] = useState(false);
  const number = takers.length;
  if (number === 0) return null;
  return (
    <Card className="px-4 py-1">
      <ul aria-label={t`Who has taken one`} className="divide-y">
        {(all ? takers : takers.slice(0, first)).map(({ name, at, own, thanked }) => (
          <li key={at + name} className="flex min-h-[60px] items-center gap-3 py-2">
            <Avatar src={null} size={40} />
            <span className="min-w-0 flex-1 truncate text-row font-medium">
              {own ? t`You` : name || t`Somebody`}
              {thanked && (
                <Heart role="img" aria-label={t`Says thank you`} className="ml-2 inline size-4 text-brand-text" />
              )}
            </span>
            <span className="shrink-0 text-caption text-quiet">{dateTime(at)}</span>
          </li>
        ))}
      </ul>
      {!all && number > first && (
        <Button variant="ghost" size="md" wide onClick={() => setAll(true)}>{t`See all ${number} people`}</Button>
      )}
    </Card>
  );
}
