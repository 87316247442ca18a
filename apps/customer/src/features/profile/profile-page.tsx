import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { capabilities } from '@wlv/client/capabilities';
import { Failure } from '@wlv/client/failure';
import { usePage, useTitle } from '@wlv/client/page';
import { AppearanceChoice, LanguageChoice } from '@wlv/client/profile/preferences';
import { SignOutButton } from '@wlv/client/profile/sign-out-button';
import { Avatar } from '@wlv/ui/avatar';
import { CountBadge } from '@wlv/ui/bottom-tabs';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import {
  ChevronRight,
  CircleHelp,
  FileText,
  Gift,
  Handshake,
  History,
  IdCard,
  Inbox,
  type LucideIcon,
  Pencil,
  ReceiptText,
  ShieldCheck,
  Smartphone,
  Store,
  Tag,
  Wallet,
} from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { messageCatalog } from '../../messages.ts';
import type { Page } from '../../pages.ts';
import { useProfile } from '../../shell/profile.ts';
import { useUnread } from '../../shell/unread.ts';

export function ProfilePage() {
  const { t } = useLingui();
  const { path } = useArea();
  useTitle(t`Profile`);
  return (
    <div className="mx-auto max-w-[760px] px-4 pt-[18px] sm:px-6">
      <h1 className="text-h1 font-semibold">{t`Profile`}</h1>
      <Person />
      <Card className="mt-3.5 divide-y px-4 py-1">
        <InboxRow />
        <LinkRow page="wallet" Icon={Wallet} title="Wallet" line={t`Balance, top-ups and receipts`} />
        <LinkRow page="orders" Icon={ReceiptText} title={t`My orders`} line={t`What you bought, and its receipts`} />
        <LinkRow page="history" Icon={History} title={t`History`} line={t`What you bought, used, gave and sold on`} />
        {capabilities.transfers && (
          <LinkRow page="gifts" Icon={Gift} title={t`Gifts`} line={t`What you gave and what you received`} />
        )}
        <ResaleRows />
        <MobileRow />
        <MemberRow />
        <AgentRow />
        <LinkRow page="faq" Icon={CircleHelp} title={t`Frequently asked questions`} line={t`The shop's answers`} />
        <LinkRow page="consents" Icon={FileText} title={t`Terms and privacy`} line={t`The texts in force`} />
        <LinkRow
          page="mydata"
          Icon={ShieldCheck}
          title={t`My data`}
          line={t`What you accepted; take it along or erase it`}
        />
      </Card>
      <h2 className="px-1 pb-2 pt-5 text-h2 font-semibold">{t`This device`}</h2>
      <Card className="divide-y px-4 py-1">
        <LanguageChoice messageCatalog={messageCatalog} />
        <AppearanceChoice />
      </Card>
      <SignOutButton
        audience="user"
        entry={path('home')}
        stays={t`Your vouchers and Wallet stay with your account. The cart on this device is emptied.`}
      />
    </div>
  );
}

function Person() {
  const { t } = useLingui();
  const profile = useProfile();
  if (profile.isError) {
    return (
      <Failure title={t`Your profile did not load`} error={profile.error} onRetry={() => void profile.refetch()} />
    );
  }
  if (profile.isPending) return <Skeleton className="mt-3 h-24 rounded-card" />;

  const { firstname, lastname, displayName, emailaddress, pictureUrl } = profile.data;
  const name = [firstname, lastname].filter(Boolean).join(' ') || displayName;
  return (
    <Card className="mt-3 flex items-center gap-4 p-4">
      <Avatar src={pictureUrl} size={64} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-h2 font-semibold">{name}</p>
        <p className="truncate text-caption text-quiet">{emailaddress || t`No e-mail address yet`}</p>
      </div>
      <Button asChild variant="soft" size="xs">
        <AreaLink page="profile/edit">
          <Pencil aria-hidden className="size-4!" />
          {t`Edit`}
        </AreaLink>
      </Button>
    </Card>
  );
}

function InboxRow() {
  const { t } = useLingui();
  const unread = useUnread();
  return (
    <LinkRow
      page="inbox"
      Icon={Inbox}
      title={t`Inbox`}
      line={
        unread
          ? plural(unread, { one: '# new message', other: '# new messages' })
          : t`News about your vouchers, gifts and money`
      }
      count={unread}
    />
  );
}

/** Only where the shop lets its customers sell on. */
function ResaleRows() {
  const { t } = useLingui();
  const setting = useQuery({ ...query('/api/user/trade/setting', {}), staleTime: 600_000 });
  if (!setting.data?.open) return null;
  return (
    <>
      <LinkRow page="trade" Icon={Store} title={t`Resale vouchers`} line={t`What other customers sell`} />
      <LinkRow page="sale" Icon={Tag} title={t`My resale`} line={t`What you offered and what you bought`} />
    </>
  );
}

/** Only where the shop has an app for those who sell. */
function AgentRow() {
  const { t } = useLingui();
  const { org } = usePage();
  if (!org?.liff.liffagent) return null;
  return <LinkRow page="agent" Icon={Handshake} title={t`Agent`} line={t`Sell for the shop and earn commission`} />;
}

/** Only of who has a card, or where the shop offers one. */
function MemberRow() {
  const { t } = useLingui();
  const { data } = useProfile();
  const types = useQuery({ ...query('/api/user/get/membercardtype', {}), staleTime: 600_000 });
  if (!data?.membercard && !types.data?.data.length) return null;
  return <LinkRow page="member" Icon={IdCard} title={t`Member card`} line={t`Your card, or one to apply for`} />;
}

function MobileRow() {
  const { t } = useLingui();
  const { data } = useProfile();
  const number = data?.mobilenumber;
  const state = data?.mobile_verified ? t`Verified` : t`Not verified yet`;
  const line = number ? `${number} · ${state}` : state;
  return <LinkRow page="profile/mobile" Icon={Smartphone} title={t`Mobile number`} line={data ? line : ''} />;
}

function LinkRow({
  page,
  Icon,
  title,
  line,
  count,
}: {
  page: Page;
  Icon: LucideIcon;
  title: string;
  line: string;
  count?: number;
}) {
  return (
    <AreaLink page={page} className="flex min-h-16 items-center gap-3.5 py-2">
      <span
        aria-hidden
        className="relative grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground"
      >
        <Icon className="size-5" />
        {count ? <CountBadge count={count} className="-right-1.5 -top-1.5" /> : null}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{title}</span>
        <span className="block text-caption text-quiet">{line}</span>
      </span>
      <ChevronRight aria-hidden className="size-[18px] text-quiet" />
    </AreaLink>
  );
}
