import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call, query } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { BothLanguages, FormSection, TextField } from '../../form/fields.tsx';
import { SettingPage } from './setting-form.tsx';

const read = query('/api/owner/setting/contactus/get', {});

/** Who the organisation is before the law, and whom its customers ask. */
export function ContactPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  const digits = (text: string) => text.replace(/\D/g, '');
  return (
    <SettingPage
      title={t`Contact and tax`}
      line={t`Customers see it in the cart and on your contact page. The tax id is for receipts, and nobody sees it in the shop.`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`Customers see it at once.` }}
      className="max-w-[880px]"
      limits="/api/owner/setting/contactus/save"
      values={data}
      send={(values) => call('/api/owner/setting/contactus/save', values)}
      take={(now) => client.setQueryData(read.queryKey, now)}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <FormSection title={t`Whom customers ask`}>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name="phone" label={t`Phone`} type="tel" inputMode="text" />
            <TextField
              name="line_id"
              label={t`LINE account`}
              help={t`With the @ of an official account, such as @lamai`}
            />
          </div>
          <TextField name="email" label={t`E-mail`} />
        </FormSection>
        <FormSection title={t`Who sells`}>
          <BothLanguages name="legal_name" label={t`Registered name`} />
          <BothLanguages name="address" label={t`Registered address`} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              name="tax_id"
              label={t`Tax id`}
              help={t`13 digits. A person's own id where there is no company.`}
              inputMode="numeric"
              clean={digits}
            />
            <TextField
              name="branch"
              label={t`Branch`}
              help={t`Five digits as registered for VAT: 00000 is the head office. Empty without VAT.`}
              inputMode="numeric"
              clean={digits}
            />
          </div>
        </FormSection>
      </Card>
    </SettingPage>
  );
}
