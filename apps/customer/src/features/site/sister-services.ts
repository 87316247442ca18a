import { useLingui } from '@lingui/react/macro';

/** What the same company runs beside vouchers. */
export function useSisterServices() {
  const { t } = useLingui();
  return [
    {
      id: 'vending',
      name: t`Vending machines`,
      line: t`Machines for offices, dormitories and hospitals, filled and watched for you.`,
    },
    {
      id: 'icecream-vending',
      name: t`Ice-cream vending`,
      line: t`A freezer with a card reader: your flavours, sold day and night.`,
    },
    {
      id: 'healthy-vending',
      name: t`Healthy vending`,
      line: t`Fresh salads, fruit and unsweetened drinks where people work and train.`,
    },
    {
      id: 'booking',
      name: t`Booking platform`,
      line: t`Times, rooms and classes that customers book by themselves in LINE.`,
    },
    {
      id: 'golf',
      name: t`Golf management`,
      line: t`Tee times, caddies, carts and members of a course in one place.`,
    },
  ];
}
