import { Plural, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts, useTitle } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { baht, dateTime } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Ticket } from '@wlv/ui/ticket';
import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { AreaLink } from '../../area.tsx';
import type { UseSession } from './use-session.ts';

/** Staff have confirmed: what was used, where and when. */
export function UsedPage({
  session,
  usedAt,
  picture,
}: {
  session: UseSession;
  usedAt: string;
  picture: string | null | undefined;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const title = t`Voucher successfully used`;
  useTitle(title);
  useFreshVouchers();

  return (
    <div className="mx-auto max-w-[440px] px-4 pb-40 pt-14">
      <div role="status" className="grid justify-items-center text-center">
        <span className="grid size-20 place-items-center rounded-full bg-ok-soft text-ok-text">
          <Check aria-hidden className="size-10" strokeWidth={2.5} />
        </span>
        <h1 className="mt-4 text-h1 font-semibold">{title}</h1>
        <p className="mt-1 text-row text-muted-foreground">{t`Have a good time.`}</p>
      </div>
      <div className="mt-6">
        <Ticket
          stub={64}
          foot={
            <>
              <span className="min-w-0 flex-1 truncate text-caption text-quiet">
                {text(session, 'service_point_name')}
                <br />
                {dateTime(usedAt)}
              </span>
              <span className="text-[22px] font-semibold">
                {session.kind === 'baht' ? (
                  baht(session.items)
                ) : (
                  <Plural value={session.items} one="# item" other="# items" />
                )}
              </span>
            </>
          }
        >
          <div className="flex items-center gap-3.5 px-4 py-3.5">
            <Picture
              src={pictureURL(picture, 160)}
              mark={<Mark size={32} />}
              className="size-[52px] shrink-0 rounded-[12px]"
            />
            <p className="line-clamp-2 min-w-0 flex-1 font-medium">{text(session, 'name')}</p>
          </div>
        </Ticket>
      </div>
      <ActionFoot className="grid grid-cols-1 gap-2">
        <Button asChild wide>
          <AreaLink page="activevoucher" replace>{t`Back to my vouchers`}</AreaLink>
        </Button>
        <Button asChild variant="ghost" wide>
          <AreaLink page="history">{t`History of use`}</AreaLink>
        </Button>
      </ActionFoot>
    </div>
  );
}

/** The lists are read anew once; the stored secret stays until its time is over, so that a reload shows this again. */
function useFreshVouchers() {
  const client = useQueryClient();
  useEffect(() => {
    for (const path of ['/api/user/voucher/list', '/api/user/voucher/history']) {
      void client.invalidateQueries({ queryKey: [path] });
    }
  }, [client]);
}
