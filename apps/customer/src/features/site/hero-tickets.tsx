import { useLingui } from '@lingui/react/macro';
import { Link } from '@wlv/client/router';
import { TicketFan } from '@wlv/ui/ticket-fan';
import { IceCreamCone, Leaf, type LucideIcon, Waves } from 'lucide-react';
import type { CSSProperties, ReactElement } from 'react';
import coconut from './pictures/coconut.svg';
import oil from './pictures/oil.svg';
import seafood from './pictures/seafood.svg';

/** Three tickets of three shops, each in its own colours. They are examples: the button leads to where a shop is found. */
export function HeroTickets() {
  const { t } = useLingui();
  const ticket = (
    picture: string,
    Logo: LucideIcon,
    shop: string,
    name: string,
    satang: number,
    colours: CSSProperties,
    action: ReactElement = <span>{t`Choose a shop`}</span>,
  ) => ({
    picture: <img src={picture} alt="" className="size-full object-cover" />,
    shop: (
      <>
        <span className="grid size-[22px] place-items-center rounded-[7px] bg-primary text-primary-foreground">
          <Logo className="size-3.5" />
        </span>
        {shop}
      </>
    ),
    name,
    satang,
    action,
    colours,
  });
  return (
    <div className="mt-6">
      <TicketFan
        tickets={[
          ticket(
            oil,
            Leaf,
            t`Ruean Lamai spa`,
            t`Warm aroma oil massage, 90 minutes`,
            1_290_00,
            colours('#1f5c4d', '#ffffff', '#1f5c4d', '#639e8d'),
            <Link to="/loginpage">{t`Choose a shop`}</Link>,
          ),
          ticket(
            coconut,
            IceCreamCone,
            t`Yimwan ice cream`,
            t`Coconut ice cream, 10 cups`,
            690_00,
            colours('#f7a8b8', '#15130f', '#a34b5f', '#f7a8b8'),
          ),
          ticket(
            seafood,
            Waves,
            t`Sathorn Waree hotel`,
            t`Riverside seafood buffet`,
            1_690_00,
            colours('#061c33', '#ffffff', '#061c33', '#7993b1'),
          ),
        ]}
      />
    </div>
  );
}

/** A shop's colours as they are; its text by day and by night. */
function colours(brand: string, foreground: string, day: string, night: string) {
  return {
    '--brand': brand,
    '--brand-fg': foreground,
    '--brand-text': `light-dark(${day}, ${night})`,
  } as CSSProperties;
}
