import { useLingui } from '@lingui/react/macro';
import { Input } from '@wlv/ui/input';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useArea } from '../../area.tsx';
import type { MarketSearch } from './listing.ts';

const pause = 350;

/** Searches while the person types, after a short pause; the address keeps the word. */
export function SearchField({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const { go } = useArea();
  const [typed, setTyped] = useState(search.q ?? '');

  const submit = () => {
    const q = typed.trim() || undefined;
    if (q !== search.q) void go('home', { ...search, q }, { replace: true });
  };
  const latest = useRef(submit);
  latest.current = submit;

  useEffect(() => {
    if (typed === (search.q ?? '')) return;
    const timer = setTimeout(() => latest.current(), pause);
    return () => clearTimeout(timer);
  }, [typed, search.q]);

  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Input
        type="search"
        enterKeyHint="search"
        aria-label={t`Search packages`}
        placeholder={t`Search packages`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        before={<Search aria-hidden className="size-5" />}
      />
    </form>
  );
}
