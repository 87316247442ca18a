import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { date } from '@wlv/ui/format';
import { MemberFace } from '@wlv/ui/member-face';
import { OrgMark } from '@wlv/ui/org-mark';
import { useColours } from '../../preview/colours.ts';
import { Phone } from '../../preview/phone.tsx';
import type { ValuesOf } from '../../resource/resource.ts';

/** The card as its member will see it, while its type is being written. */
export function CardPreview({ values }: { values: ValuesOf<'membercardtype'> }) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const today = date(new Date());
  return (
    <>
      <p className="mb-3.5 font-medium text-muted-foreground">{t`As the customer sees it`}</p>
      <div className="grid justify-center p-[7px]">
        <Phone {...useColours()} label={t`As the customer sees it`} width={342} height={280}>
          <div className="p-4">
            <MemberFace
              mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={40} onBand />}
              shop={org ? text(org, 'name') : ''}
              line={t`Member since ${today}`}
              type={text(values, 'name') || t`Card type`}
              name={t`Name of the customer`}
              number="ABC 0000 0000"
              picture={pictureURL(values.picture_id, 800)}
            />
          </div>
        </Phone>
      </div>
    </>
  );
}
