import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@wlv/ui/tabs';
import { clsx } from 'clsx';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { ColourField, ContrastList } from '../../form/colours.tsx';
import { TextField } from '../../form/fields.tsx';
import { LogoRow } from '../../form/logo-row.tsx';
import { PictureField } from '../../form/picture-field.tsx';
import { Phone } from '../../preview/phone.tsx';
import { type PreviewName, previews } from './previews.tsx';
import type { Settings } from './setting.ts';
import { SettingForm } from './setting-form.tsx';

/** Two colours and a logo, and at once how every screen of the customers will look, by day and by night. */
export function ThemePage() {
  const { t } = useLingui();
  return (
    <SettingForm
      title={t`Colours and logo`}
      save={t`Save the theme`}
      saved={{ title: t`The theme is saved`, line: t`Customers see it from their next page on.` }}
      resets
    >
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[432px_1fr]">
        <div className="grid grid-cols-1 gap-3.5">
          <Card office className="grid grid-cols-1 gap-4 p-5">
            <LogoRow logo={<PictureField name="logo_id" label={t`Logo`} aspect={1} className="w-32 shrink-0" />} />
            <TextField name="name_th" label={t`Name in Thai`} />
          </Card>
          <Card office className="grid grid-cols-1 gap-4 p-5">
            <div className="grid gap-4 sm:grid-cols-2">
              <ColourField name="background_color_primary" label={t`Primary colour`} />
              <ColourField name="background_color_secondary" label={t`Secondary colour`} />
            </div>
            <Sets />
          </Card>
          <Card office className="p-5">
            <Contrasts />
          </Card>
        </div>
        <Previews />
      </div>
    </SettingForm>
  );
}

/** Pairs that go well together, to begin with. */
const sets = [
  ['#1f5c4d', '#d9a662'],
  ['#3d2a55', '#e3b29f'],
  ['#7c2d32', '#ecc469'],
  ['#114b5f', '#f3a65a'],
  ['#4a5f22', '#efbf9c'],
  ['#061c33', '#d3ae55'],
] as const;

function useDraftColours() {
  const [primary, secondary] = useWatch({ name: ['background_color_primary', 'background_color_secondary'] }) as [
    string,
    string,
  ];
  const right = (colour: string, otherwise: string) => (/^#[0-9a-f]{6}$/.test(colour) ? colour : otherwise);
  return { primary: right(primary, '#061c33'), secondary: right(secondary, '#d3ae55') };
}

function Sets() {
  const { t } = useLingui();
  const { setValue } = useFormContext<Settings>();
  const { primary, secondary } = useDraftColours();
  return (
    <div className="grid gap-2">
      <p className="text-caption text-quiet">{t`Pairs that go well together`}</p>
      <div className="flex flex-wrap gap-2.5">
        {sets.map(([first, second]) => (
          <button
            key={first}
            type="button"
            aria-label={t`Colours ${first} and ${second}`}
            aria-pressed={first === primary && second === secondary}
            onClick={() => {
              setValue('background_color_primary', first, { shouldDirty: true, shouldValidate: true });
              setValue('background_color_secondary', second, { shouldDirty: true, shouldValidate: true });
            }}
            className={clsx(
              'flex h-10 w-[52px] overflow-hidden rounded-small',
              first === primary &&
                second === secondary &&
                'outline-2 outline-offset-2 outline-brand-mark outline-solid',
            )}
          >
            <span className="flex-[3]" style={{ background: first }} />
            <span className="flex-[2]" style={{ background: second }} />
          </button>
        ))}
      </div>
    </div>
  );
}

function Contrasts() {
  return <ContrastList {...useDraftColours()} />;
}

function Previews() {
  const { t } = useLingui();
  const colours = useDraftColours();
  const [face, setFace] = useState<PreviewName>('market');
  const { Face } = previews[face];
  const names: Record<PreviewName, string> = { market: t`Market`, voucher: t`Voucher`, qr: 'QR', receipt: t`Receipt` };
  return (
    <Tabs
      value={face}
      onValueChange={(next) => setFace(next as PreviewName)}
      className="min-w-0 rounded-[20px] bg-muted px-5 pb-8 pt-[18px]"
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <TabsList className="bg-border!">
          {(Object.keys(previews) as PreviewName[]).map((name) => (
            <TabsTrigger key={name} value={name}>
              {names[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <p className="text-caption text-quiet">{t`Live, by day and by night`}</p>
      </div>
      <TabsContent value={face} className="flex flex-wrap justify-center gap-x-7 gap-y-8 p-[7px]">
        <Phone {...colours} label={t`By day`} width={296} height={640}>
          <Face />
        </Phone>
        <Phone {...colours} dark label={t`By night`} width={296} height={640}>
          <Face />
        </Phone>
      </TabsContent>
    </Tabs>
  );
}
