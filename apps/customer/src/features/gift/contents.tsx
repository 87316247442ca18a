import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { baht, date } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';
import type { Content } from './gift.ts';

/** What is in a gift; vouchers that are the same stand in one line. */
export function Contents({ contents }: { contents: Content[] }) {
  const text = useTexts();
  return (
    <ul className="grid grid-cols-1 gap-1.5">
      {alike(contents).map((same) => (
        <li key={same.content.name_th + same.content.valid_until}>
          <p className="line-clamp-2 font-semibold leading-[26px]">{text(same.content, 'name')}</p>
          <p className="text-caption text-muted-foreground">
            <Amount {...same} />
          </p>
        </li>
      ))}
    </ul>
  );
}

interface Alike {
  content: Content;
  vouchers: number;
  items: number;
}

function Amount({ content, vouchers, items }: Alike) {
  const { t } = useLingui();
  const until = date(content.valid_until);
  const much = content.kind === 'baht' ? baht(items) : plural(items, { one: '# time', other: '# times' });
  const pieces = plural(vouchers, { one: '# voucher', other: '# vouchers' });
  return keepThaiTogether(vouchers > 1 ? t`${pieces} · ${much} · until ${until}` : t`${much} · until ${until}`);
}

function alike(contents: Content[]) {
  const all: Alike[] = [];
  for (const content of contents) {
    const same = all.find(
      (one) =>
        one.content.name_th === content.name_th &&
        one.content.kind === content.kind &&
        one.content.valid_until === content.valid_until,
    );
    if (same) {
      same.vouchers += 1;
      same.items += content.items;
    } else all.push({ content, vouchers: 1, items: content.items });
  }
  return all;
}
