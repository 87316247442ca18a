import { useLingui } from '@lingui/react/macro';
import { time } from '@wlv/ui/format';

/** When what is on the screen was read: it is a full count of that moment. at is what react-query calls dataUpdatedAt. */
export function AsOf({ at }: { at: number }) {
  const { t } = useLingui();
  return <span className="text-caption text-muted-foreground">{t`As of ${time(at)}`}</span>;
}
