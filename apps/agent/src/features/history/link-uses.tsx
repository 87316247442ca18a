import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { pick } from '@wlv/client/language';
import { Card } from '@wlv/ui/card';
import { amount, count } from '@wlv/ui/format';
import { useMayAsk } from '../../shell/profile.ts';

type LinkUse = Detail<'/api/agent/link/list'>['data'][number];

/** The agent's links of the last thirty days: who opened each, who bought by it, and what it earned. Without one there is nothing. */
export function LinkUses() {
  const { t } = useLingui();
  const { data } = useQuery({ ...query('/api/agent/link/list', {}), enabled: useMayAsk() });
  const opened = (data?.data ?? []).filter(({ opens, orders }) => opens > 0 || orders > 0);
  if (!opened.length) return null;
  return (
    <section className="mb-3.5">
      <h2 className="px-1 pb-1.5 pt-1 text-caption font-medium text-quiet">{t`Your links in the last 30 days`}</h2>
      <Card>
        <ul className="divide-y">
          {opened.map((use) => (
            <Use key={use.code} use={use} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Use({ use }: { use: LinkUse }) {
  const { t, i18n } = useLingui();
  const { opens, openers, buyers, commission_satang: commission } = use;
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3">
      <span className="min-w-0">
        <span className="line-clamp-2 font-medium">{pick(use, 'name', i18n.locale)}</span>
        <span className="block text-caption text-quiet">
          {t`Opened ${count(opens)} times by ${count(openers)} people`}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block font-semibold">{amount(commission)}</span>
        <span className="block text-caption text-quiet">
          {openers > 0 ? t`${count(buyers)} bought, ${share(buyers, openers)} %` : t`${count(buyers)} bought`}
        </span>
      </span>
    </li>
  );
}

/** Whole percent. Who opened it before these days and bought in them may make it more than a hundred. */
const share = (buyers: number, openers: number) => count(Math.round((100 * buyers) / openers));
