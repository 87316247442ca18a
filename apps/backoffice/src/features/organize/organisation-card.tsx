import { useLingui } from '@lingui/react/macro';
import { Chip } from '@wlv/ui/chip';
import { OrgMark } from '@wlv/ui/org-mark';
import { ThemeScope } from '@wlv/ui/theme-scope';
import { Ticket } from '@wlv/ui/ticket';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTheme } from '../../preview/theme.ts';

/** The new organisation as it will look: its logo and colours, what was decided, and who will own it. */
export function OrganisationCard({
  name,
  unique,
  logo,
  primary,
  secondary,
  facts,
  owner,
}: {
  name: string;
  unique: string;
  /** Its address, or itself as a data URL. */
  logo: string | null;
  primary: string;
  secondary: string;
  facts: { name: string; value: ReactNode }[];
  owner: ReactNode;
}) {
  const { t } = useLingui();
  const theme = useTheme({ primary, secondary }).data;
  return (
    <ThemeScope tokens={theme?.day}>
      <Ticket stub={66} foot={owner}>
        <div className="flex items-center gap-3.5 bg-band px-4 py-5 text-band-foreground">
          <OrgMark logo={logo} name={name || unique || '?'} size={44} onBand />
          <div className="min-w-0 flex-1">
            <p className="truncate text-base font-semibold">{name || t`The new organisation`}</p>
            <p className="truncate text-caption text-band-quiet">{unique || t`Short name comes later`}</p>
          </div>
          <span aria-hidden className="size-[22px] rounded-full bg-secondary" />
        </div>
        <dl className="grid grid-cols-1 gap-2 px-4 py-3.5 text-sm">
          {facts.map((fact) => (
            <div key={fact.name} className="flex justify-between gap-4">
              <dt className="shrink-0 text-quiet">{fact.name}</dt>
              <dd className="min-w-0 truncate font-medium">{fact.value || '–'}</dd>
            </div>
          ))}
          <div className="flex items-center justify-between gap-4">
            <dt className="shrink-0 text-quiet">{t`Reads well`}</dt>
            <dd>
              {theme ? (
                <Chip tone="ok" icon={<CircleCheck aria-hidden />}>
                  {Math.min(...theme.readable.map(({ ratio }) => ratio)).toFixed(1)}:1
                </Chip>
              ) : (
                '–'
              )}
            </dd>
          </div>
        </dl>
      </Ticket>
    </ThemeScope>
  );
}
