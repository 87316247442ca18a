import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Segment } from '@wlv/ui/segment';
import { Printer } from 'lucide-react';
import type { Paper } from './sheet.tsx';

/** Prints what stands on the sheet, on the paper that is chosen. */
export function PrintOn({ paper, onPaper }: { paper: Paper; onPaper: (paper: Paper) => void }) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-1 gap-1">
      <Segment
        title={t`Paper`}
        value={paper}
        onChange={onPaper}
        options={[
          { value: 'a4', label: 'A4' },
          { value: 'roll', label: t`80 mm` },
        ]}
      />
      <Button variant="outline" wide onClick={() => window.print()}>
        <Printer aria-hidden />
        {t`Print or save`}
      </Button>
    </div>
  );
}
