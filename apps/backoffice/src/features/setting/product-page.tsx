import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { TextField } from '../../form/fields.tsx';
import { productWord } from '../../shell/screen-names.ts';
import { SettingPage } from './setting-form.tsx';

/** What the organisation calls what it sells, in reports, their addresses and files. */
export function ProductWordPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...productWord, refetchOnWindowFocus: false });
  return (
    <SettingPage
      title={t`Word for what is sold`}
      line={t`Reports of commission name each piece that is sold by this word.`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`The menu and the report have the new word.` }}
      className="max-w-[880px]"
      limits="/api/owner/setting/product/save"
      values={data}
      send={(values) => call('/api/owner/setting/product/save', values)}
      take={(now) => client.setQueryData(productWord.queryKey, now)}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <TextField name="word_th" label={t`The word in Thai`} className="max-w-72" />
        <TextField name="word_en" label={t`The word in English`} className="max-w-72" />
        <TextField
          name="slug"
          label={t`The word in addresses and names of files`}
          help={t`From 2 to 20 small letters, such as ticket.`}
          className="max-w-72"
        />
      </Card>
    </SettingPage>
  );
}
