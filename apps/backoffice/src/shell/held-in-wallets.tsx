import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { baht } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Note } from '@wlv/ui/note';

type Held = Detail<'/api/owner/setting/wallet/get'>;

const tones = { 0: 'brand', 60: 'warn', 80: 'warn', 95: 'bad' } as const;

/** What customers' Wallets hold together, how far that is to the limit, and a warning near it. */
export function HeldInWallets({ held }: { held: Held }) {
  const { t } = useLingui();
  const [average, limit, percent] = [baht(held.average_satang), baht(held.limit_satang), held.percent];
  return (
    <>
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{t`In customers' Wallets`}</span>
        <span className="font-medium">{baht(held.now_satang)}</span>
      </p>
      <Meter value={held.percent / 100} tone={tones[held.warning]} className="my-2" />
      <p className="text-caption text-quiet">{t`${average} on average over six months · ${percent}% of the limit of ${limit}`}</p>
      {held.warning > 0 && (
        <Note tone={held.warning === 95 ? 'bad' : 'warn'} className="mt-3">
          {t`Customers' money here is near the limit. Above it the law may want a licence for e-money: ask a lawyer, and sell more for direct payment meanwhile.`}
        </Note>
      )}
    </>
  );
}
