import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { IconButton } from '@wlv/ui/icon-button';
import { Note } from '@wlv/ui/note';
import { Megaphone, TriangleAlert, Wrench, X } from 'lucide-react';
import { useState } from 'react';

type Announcement = Row<'/api/owner/announcement/list'>;

const looks = {
  news: { tone: 'info', Icon: Megaphone },
  maintenance: { tone: 'warn', Icon: Wrench },
  important: { tone: 'bad', Icon: TriangleAlert },
} as const;

const minutes = 60_000;

/** What the platform announces to this office now. It is no reason to keep a screen away: where it does not load, nothing is shown. */
export function Announcements() {
  const shown = useQuery({
    ...query('/api/owner/announcement/list', {}),
    staleTime: 5 * minutes,
    refetchInterval: 10 * minutes,
  });
  const { closed, close } = useClosed();
  const open = (shown.data?.data ?? []).filter((one) => one.kind !== 'news' || !closed.includes(revision(one)));
  if (!open.length) return null;
  return (
    <div className="mb-5 mt-3 grid gap-2.5">
      {open.map((one) => (
        <One key={one.id} announcement={one} onClose={() => close(one, shown.data?.data ?? [])} />
      ))}
    </div>
  );
}

function One({ announcement, onClose }: { announcement: Announcement; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const { tone, Icon } = looks[announcement.kind];
  const title = text(announcement, 'title');
  return (
    <Note tone={tone} icon={<Icon aria-hidden />} title={title} className="relative pr-14">
      <p className="whitespace-pre-line wrap-break-word">{text(announcement, 'text')}</p>
      <p className="text-caption text-quiet">{t`From the platform, We Love Voucher`}</p>
      {announcement.kind === 'news' && (
        <IconButton label={t`Close ${title}`} className="absolute right-1.5 top-1.5" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      )}
    </Note>
  );
}

/** One that was changed is another one to who has closed it. */
const revision = ({ id, updated_at }: Announcement) => `${id} ${updated_at}`;

const key = 'announcements-closed';

/** News that were read and closed on this device, as long as the platform announces them. */
function useClosed() {
  const [closed, setClosed] = useState<string[]>(() => (localStorage.getItem(key) ?? '').split('\n'));
  return {
    closed,
    close: (one: Announcement, all: Announcement[]) => {
      const known = all.map(revision);
      const next = [...closed, revision(one)].filter((name) => known.includes(name));
      localStorage.setItem(key, next.join('\n'));
      setClosed(next);
    },
  };
}
