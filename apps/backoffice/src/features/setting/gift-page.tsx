import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call, query } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { NumberField } from '../../form/fields.tsx';
import { SettingPage } from './setting-form.tsx';

const read = query('/api/owner/setting/gift/get', {});

/** What the organisation decides about gifts. */
export function GiftSettingPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  return (
    <SettingPage
      title={t({ message: 'Gifts', context: 'settings' })}
      line={t`Which vouchers can be given, and how often, is decided by each voucher type.`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`Gifts that are under way keep their days.` }}
      className="max-w-[880px]"
      limits="/api/owner/setting/gift/save"
      values={data}
      send={(values) => call('/api/owner/setting/gift/save', values)}
      take={(now) => client.setQueryData(read.queryKey, now)}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <NumberField
          name="days"
          label={t`A gift waits for its receiver`}
          help={t`From 1 to 30 days, and no longer than the voucher is valid. What nobody receives by then goes back to the giver by itself.`}
          unit={t`days`}
          className="max-w-72"
        />
      </Card>
    </SettingPage>
  );
}
