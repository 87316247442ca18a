import { useLingui } from '@lingui/react/macro';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import type { CSSProperties } from 'react';
import coconut from './pictures/coconut.svg';
import oil from './pictures/oil.svg';
import seafood from './pictures/seafood.svg';

/** Three tickets of three shops, each in its own colours, fanned out behind one another. */
export function HeroTickets() {
  const { t } = useLingui();
  return (
    <div
      aria-hidden
      className="relative mx-auto mt-6 h-[420px] w-full max-w-[390px] lg:mt-0 lg:h-[600px] lg:max-w-none"
    >
      <ShopTicket
        className="-left-9 top-3 w-60 -rotate-6 lg:left-0 lg:top-8 lg:w-[340px]"
        picture={coconut}
        shop={t`Yimwan ice cream`}
        name={t`Coconut ice cream, 10 cups`}
        satang={690_00}
        colours={{ brand: '#f7a8b8', fg: '#15130f', text: '#a34b5f' }}
      />
      <ShopTicket
        className="left-[200px] top-0 w-[252px] rotate-6 lg:left-[270px] lg:top-0 lg:w-[364px]"
        picture={seafood}
        shop={t`Sathorn Waree hotel`}
        name={t`Riverside seafood buffet`}
        satang={1_690_00}
        colours={{ brand: '#061c33', fg: '#ffffff', text: '#061c33' }}
      />
      <ShopTicket
        className="left-[45px] top-[60px] w-[300px] -rotate-1 lg:left-[112px] lg:top-[188px] lg:w-[380px]"
        picture={oil}
        shop={t`Ruean Lamai spa`}
        name={t`Warm aroma oil massage, 90 minutes`}
        satang={1_290_00}
        colours={{ brand: '#1f5c4d', fg: '#ffffff', text: '#1f5c4d' }}
      />
    </div>
  );
}

/** A shop's colours as they are; the tickets are pictures, and the words of the page say the same. */
interface Colours {
  brand: string;
  fg: string;
  text: string;
}

function ShopTicket({
  className,
  picture,
  shop,
  name,
  satang,
  colours,
}: {
  className: string;
  picture: string;
  shop: string;
  name: string;
  satang: number;
  colours: Colours;
}) {
  const { t } = useLingui();
  const own = { '--brand': colours.brand, '--brand-fg': colours.fg, '--brand-text': colours.text } as CSSProperties;
  return (
    <div className={`absolute ${className}`} style={own}>
      <Ticket
        stub={72}
        foot={
          <>
            <Price satang={satang} className="flex-1 text-[22px] leading-8 text-brand-text" />
            <span className="flex h-10 items-center rounded-control bg-primary px-4 text-sm font-semibold text-primary-foreground">
              {t`Send as a gift`}
            </span>
          </>
        }
      >
        <img src={picture} alt="" className="h-[126px] w-full object-cover lg:h-[200px]" />
        <div className="px-4 pb-3.5 pt-3">
          <p className="flex items-center gap-2 text-caption text-quiet">
            <span className="size-[22px] rounded-[7px] bg-primary" />
            {shop}
          </p>
          <p className="mt-1 truncate text-lead font-semibold">{name}</p>
        </div>
      </Ticket>
    </div>
  );
}
