import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Body, call, type Detail, query } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { MoneyField } from '../../form/fields.tsx';
import { HeldInWallets } from '../../shell/held-in-wallets.tsx';
import { SettingPage } from './setting-form.tsx';

type Values = Body<'/api/owner/setting/wallet/save'>;
type Saved = Detail<'/api/owner/setting/wallet/get'>;

const read = query('/api/owner/setting/wallet/get', {});

/** What customers' Wallets hold together, and from where on that is too much. */
export function WalletSettingPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  return (
    <SettingPage<Values, Saved>
      title={t({ message: 'Wallets', context: 'settings' })}
      line={t`Money that customers have in their Wallets is theirs until they spend it.`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`Warnings on the overview follow it from now on.` }}
      className="max-w-[880px]"
      limits="/api/owner/setting/wallet/save"
      values={{ limit_satang: data.limit_satang }}
      send={(values) => call('/api/owner/setting/wallet/save', values)}
      take={(now) => client.setQueryData(read.queryKey, now)}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <div>
          <HeldInWallets held={data} />
        </div>
        <MoneyField
          name="limit_satang"
          label={t`Limit of all Wallets together`}
          help={t`You are warned at 60, 80 and 95% of it. Nothing is refused above it. Thai law wants a licence for e-money from 50,000,000.00 baht on, on average over six months.`}
          className="max-w-80"
        />
      </Card>
    </SettingPage>
  );
}
