import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { baht } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Stepper } from '@wlv/ui/stepper';
import { useState } from 'react';

interface Props {
  voucher: Pick<Detail<'/api/user/voucher/detail'>, 'kind' | 'items_left'>;
  /** What they are for. */
  name: string;
  /** Items, or satang of a baht voucher; 0 while that is no amount. */
  items: number;
  onChange: (items: number) => void;
  /** They were sent, and are none or too many. */
  wrong: boolean;
}

/** How many of a voucher's items, or how much of its worth. */
export function HowMany({ voucher, name, items, onChange, wrong }: Props) {
  const { t } = useLingui();
  const left = voucher.items_left;
  if (voucher.kind === 'baht')
    return <BahtAmount name={name} satang={items} most={left} onChange={onChange} wrong={wrong} />;
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="text-row font-medium">{name}</p>
        <p className="text-caption text-quiet">{t`${left} left`}</p>
      </div>
      <Stepper name={name} value={items} onChange={onChange} max={left} />
    </>
  );
}

function BahtAmount({
  name,
  satang,
  most,
  onChange,
  wrong,
}: Omit<Props, 'voucher' | 'items'> & { satang: number; most: number }) {
  const { t } = useLingui();
  const [text, setText] = useState(String(satang / 100));
  const limit = baht(most);
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="text-row font-medium">{name}</p>
        <p className={wrong ? 'text-caption text-bad-text' : 'text-caption text-quiet'}>{t`At most ${limit}`}</p>
      </div>
      <Input
        name="items"
        aria-label={name}
        aria-invalid={wrong || undefined}
        inputMode="decimal"
        className="w-36!"
        before={<span className="text-quiet">฿</span>}
        value={text}
        onChange={(event) => {
          const cleaned = event.target.value.replace(/[^\d.]/g, '').replace(/(\.\d{0,2}).*/, '$1');
          setText(cleaned);
          onChange(Math.round(Number(cleaned) * 100) || 0);
        }}
      />
    </>
  );
}
