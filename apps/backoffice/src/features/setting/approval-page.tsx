import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Card } from '@wlv/ui/card';
import { FormSection, MoneyField, NumberField } from '../../form/fields.tsx';
import { SettingPage } from './setting-form.tsx';

const read = query('/api/owner/setting/approval/get', {});

type Values = Detail<'/api/owner/setting/approval/get'>;
type Saved = Detail<'/api/owner/setting/approval/save'>;

/** Which changes need a second person. To let go of one is asked for, too. */
export function ApprovalSettingPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  return (
    <SettingPage<Values, Saved>
      title={t`Two people`}
      line={t`What moves much money is looked at by a second person before it happens.`}
      save={t`Save`}
      saved={({ asked }) =>
        asked
          ? { title: t`Asked for`, line: t`A second person has to let go of this. It waits under Approvals.` }
          : { title: t`Saved`, line: t`It holds from now on.` }
      }
      className="max-w-[880px]"
      limits="/api/owner/setting/approval/save"
      values={data}
      send={(values) => callOnce('/api/owner/setting/approval/save', values)}
      take={({ asked: _, ...now }) => {
        client.setQueryData(read.queryKey, now);
        void client.invalidateQueries({ queryKey: ['/api/owner/approval/inbox'] });
      }}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <FormSection title={t`Refunds`}>
          <MoneyField
            name="refund_above_satang"
            label={t`A second person for refunds above`}
            help={t`Empty: one person may refund anything. 0: each refund needs two. What one person refunded of one order, and to one customer within a day, counts together. It holds as well for money that is paid out of Wallets.`}
            className="max-w-72"
          />
        </FormSection>
        <FormSection title={t`Extending many vouchers`}>
          <NumberField
            name="extend_above_vouchers"
            label={t`A second person for extensions of more vouchers than`}
            help={t`Empty: one person may extend as many as there are. What was extended at once within a day counts together.`}
            className="max-w-72"
          />
        </FormSection>
        <FormSection title={t`Always by two`}>
          <p className="text-muted-foreground">
            {t`Money that is given back for something that was used, and a debt that is written off, are paid of what the shop has earned. One person alone cannot do that. Nor can one person alone say that a refund was transferred to a bank account.`}
          </p>
        </FormSection>
        <p className="text-caption text-quiet">
          {t`The second person has the same right and another account. Where there is none, who asked can approve it on the next day, signed in anew, and the record says so. What nobody answers within 3 days lapses.`}
        </p>
      </Card>
    </SettingPage>
  );
}
