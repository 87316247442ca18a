import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { EnvelopeDrawing, PhoneDrawing, ScanDrawing } from './drawings.tsx';

/** How it goes, in three steps: only what holds for each shop. */
export function Steps({ className }: { className: string }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`How it goes`} className={className}>
      <div className="grid bg-card shadow-[0_-1px_0_var(--edge)] lg:grid-cols-3 lg:divide-x lg:rounded-sheet lg:shadow-card">
        <Step
          number={1}
          drawing={<PhoneDrawing />}
          title={t`Choose and pay`}
          line={t`Sign in with LINE and choose. The price you see is the price you pay.`}
        />
        <Step
          number={2}
          drawing={<EnvelopeDrawing />}
          title={t`Your voucher is there at once`}
          line={t`It waits in "My Voucher & Ticket" and says until when and where it can be used.`}
        />
        <Step
          number={3}
          drawing={<ScanDrawing />}
          title={t`Hold out the phone at the shop`}
          line={t`Open the QR, the staff scan it once, and that is all.`}
        />
      </div>
    </section>
  );
}

function Step({ number, drawing, title, line }: { number: number; drawing: ReactNode; title: string; line: string }) {
  return (
    <div className="flex items-center gap-4 px-5 py-5 lg:gap-9 lg:px-10 lg:py-9">
      <span className="shrink-0">{drawing}</span>
      <div>
        <h2 className="text-base font-semibold lg:text-h2">
          <span className="lg:hidden">{number}. </span>
          {title}
        </h2>
        <p className="text-sm text-muted-foreground">{line}</p>
      </div>
    </div>
  );
}
