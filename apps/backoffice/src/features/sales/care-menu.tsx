import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { Ban, CalendarPlus, ChevronDown, HeartHandshake, RefreshCcw } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import type { StoryOf } from '../../record/story.ts';
import { ExtendVoucher } from './extend-voucher.tsx';
import { Goodwill } from './goodwill.tsx';
import { ReissueVoucher } from './reissue-voucher.tsx';
import { VoidVoucher } from './void-voucher.tsx';

type Task = 'extend' | 'reissue' | 'goodwill' | 'void';

/** What else the shop can do with a voucher; what cannot be taken back stands last. */
export function CareMenu({ story }: { story: StoryOf<'voucher'> }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [task, setTask] = useState<Task>();
  const { state } = story.record;
  const over = ['used', 'expired', 'refunded', 'void'].includes(state);
  const prolongs = (!over || (state === 'expired' && story.expiry_rule === 'breakage')) && can('voucher', 'u');
  const ends = !over && can('voucher', 's');
  const recodes = !over && can('voucher', 'u');
  const gives = story.record.items_left < story.record.items_total && can('voucher', 's');
  if (!ends && !recodes && !prolongs && !gives) return null;
  const done = () => setTask(undefined);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="office" variant="outline">
            {t`More`}
            <ChevronDown aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {prolongs && (
            <DropdownMenuItem onSelect={() => setTask('extend')}>
              <CalendarPlus aria-hidden />
              {t`Extend it`}
            </DropdownMenuItem>
          )}
          {recodes && (
            <DropdownMenuItem onSelect={() => setTask('reissue')}>
              <RefreshCcw aria-hidden />
              {t`Give a new code`}
            </DropdownMenuItem>
          )}
          {gives && (
            <DropdownMenuItem onSelect={() => setTask('goodwill')}>
              <HeartHandshake aria-hidden />
              {t`Give money back for a use`}
            </DropdownMenuItem>
          )}
          {ends && (
            <DropdownMenuItem destructive onSelect={() => setTask('void')}>
              <Ban aria-hidden />
              {t`Cancel this voucher`}
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <Dialog open={Boolean(task)} onOpenChange={(open) => !open && done()}>
        {task === 'extend' && <ExtendVoucher story={story} onDone={done} />}
        {task === 'reissue' && <ReissueVoucher story={story} onDone={done} />}
        {task === 'goodwill' && <Goodwill story={story} onDone={done} />}
        {task === 'void' && <VoidVoucher story={story} onDone={done} />}
      </Dialog>
    </>
  );
}
