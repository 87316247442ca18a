import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '@wlv/client/page';
import { useSettled } from '@wlv/client/use-settled';
import { Avatar } from '@wlv/ui/avatar';
import { DialogContent } from '@wlv/ui/dialog';
import { Input } from '@wlv/ui/input';
import { WaitingRing } from '@wlv/ui/ring';
import { clsx } from 'clsx';
import { Plus, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { usePerson } from '../access/person.ts';
import { findScreen, menu, resources } from '../navigation.ts';
import { listQuery } from '../resource/calls.ts';
import { Facts } from '../resource/facts.tsx';
import { useName } from '../resource/names.ts';
import { type AnyResource, type AnyRow, isEditable, type Table } from '../resource/resource.ts';
import { RowPicture } from '../resource/row-name.tsx';
import { StatusChip } from '../resource/status-chip.tsx';
import { looksExact, useFoundExactly } from './found-exactly.ts';
import { isApple } from './is-apple.ts';
import { useScreenNames } from './screen-names.ts';

/** Something to go to. */
interface Found {
  key: string;
  icon: ReactNode;
  title: string;
  line: string;
  screen: string;
  id?: string;
  /** The record, and its table. */
  of?: { resource: AnyResource; row: AnyRow };
}

interface Group {
  title: string;
  found: Found[];
}

const each = 5;
/** The server is asked when the person stops typing, and not for one letter. */
const stop = 250;
const fewest = 2;

/** Finds screens, what can be added, and records by name, code or number, of what this person may see. */
export default function SearchDialog({ onGo }: { onGo: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [hurries, setHurries] = useState(false);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const words = useSettled(typed.trim(), stop);
  const screens = useScreens(typed.trim());
  const records = useRecords(words.length >= fewest ? words : '');
  const actions = useActions(typed.trim());
  const exact = useExact(words);
  const known = new Set(exact.group.found.map(({ id }) => id));
  const others = records.groups.map(({ title, found }) => ({ title, found: found.filter(({ id }) => !known.has(id)) }));
  const hits = [exact.group, screens, actions, ...others].filter(({ found }) => found.length > 0);
  const asking = records.asking || exact.asking;
  const nothing = typed.trim() !== '' && !hits.length && !asking && words === typed.trim() && !records.failed;
  const near = useNearest(nothing ? words : '');
  const groups = nothing ? [near] : hits;
  const all = groups.flatMap(({ found }) => found);
  const current = all[Math.min(chosen, all.length - 1)];
  const optionId = (found: Found) => `${list}-${found.key}`;

  useEffect(() => {
    if (current) document.getElementById(`${list}-${current.key}`)?.scrollIntoView({ block: 'nearest' });
  }, [current, list]);

  const go = ({ screen, id }: Found, elsewhere: boolean) => {
    if (elsewhere) return void window.open(`/owner/${id ? `${screen}/${id}` : screen}`, '_blank', 'noopener');
    onGo();
    void (id
      ? navigate({ to: '/owner/$screen/$id', params: { screen, id } })
      : navigate({ to: '/owner/$screen', params: { screen } }));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      setChosen((Math.min(chosen, all.length - 1) + step + all.length) % all.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // A scanner presses Enter before anybody was asked.
      if (looksExact(typed) && (words !== typed.trim() || exact.asking)) setHurries(true);
      else if (current) go(current, event.ctrlKey || event.metaKey);
    }
  };
  const only = exact.group.found.length === 1 ? exact.group.found[0] : undefined;
  useEffect(() => {
    if (!hurries || words !== typed.trim() || exact.asking) return;
    setHurries(false);
    if (only ?? (known.size === 0 && current)) go((only ?? current) as Found, false);
  });

  return (
    <DialogContent
      title={t`Search`}
      className="top-[8dvh]! max-h-[min(680px,84dvh)]! w-[560px]! translate-y-0! lg:w-[900px]!"
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        field.current?.focus();
      }}
    >
      <div className="sticky top-0 z-[1] bg-popover pb-3">
        <Input
          ref={field}
          size="office"
          enterKeyHint="go"
          role="combobox"
          aria-label={t`Customers, vouchers, menu`}
          aria-expanded={all.length > 0}
          aria-controls={list}
          aria-activedescendant={current && optionId(current)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          placeholder={t`A name, a code, an order number, a mobile number`}
          before={<Search aria-hidden className="size-4" />}
          after={asking && <WaitingRing size={18} />}
          value={typed}
          onKeyDown={press}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
            setHurries(false);
          }}
        />
      </div>
      <p role="status" className="sr-only">
        {typed && t`${all.length} found`}
      </p>
      {nothing && <p className="px-2.5 pb-3 text-quiet">{t`Nothing found. Try a code, or a part of the name.`}</p>}
      <div className="lg:flex lg:items-start lg:gap-4">
        <div id={list} role="listbox" aria-label={t`Found`} className="min-w-0 flex-1">
          {groups.map(({ title, found }, i) => (
            <div key={title} role="group" aria-labelledby={`${list}-${i}`} className="pb-2">
              <p id={`${list}-${i}`} className="px-2.5 py-1 text-caption text-quiet">
                {title}
              </p>
              {found.map((one) => (
                <button
                  key={one.key}
                  id={optionId(one)}
                  type="button"
                  role="option"
                  aria-selected={one === current}
                  tabIndex={-1}
                  onClick={(event) => go(one, event.ctrlKey || event.metaKey)}
                  onPointerMove={() => setChosen(all.indexOf(one))}
                  className={clsx(
                    'flex min-h-11 w-full items-center gap-3 rounded-control px-2.5 py-1.5 text-left text-sm',
                    one === current && 'bg-accent',
                  )}
                >
                  <span className="grid size-9 shrink-0 place-items-center text-brand-text [&_svg]:size-[18px]">
                    {one.icon}
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">{one.title}</span>
                    {one.line && <span className="block truncate text-caption text-quiet">{one.line}</span>}
                  </span>
                </button>
              ))}
            </div>
          ))}
        </div>
        <Preview of={current?.of} />
      </div>
      {records.failed && (
        <p role="alert" className="px-2.5 text-bad-text">
          {t`Not everything could be searched. Please try again.`}
        </p>
      )}
      <p
        aria-hidden
        className="sticky bottom-0 flex gap-5 border-t bg-popover pt-2.5 text-caption text-quiet max-lg:hidden"
      >
        <Key of="↑ ↓">{t`move`}</Key>
        <Key of="↵">{t`open`}</Key>
        <Key of={isApple ? '⌘ ↵' : 'Ctrl ↵'}>{t`open in a new tab`}</Key>
      </p>
    </DialogContent>
  );
}

function Key({ of, children }: { of: string; children: string }) {
  return (
    <span className="flex items-center gap-2">
      <kbd className="rounded-[6px] bg-muted px-2 font-sans">{of}</kbd>
      {children}
    </span>
  );
}

/** The chosen record beside the list, where there is room: its state and what its list says of it. */
function Preview({ of }: { of: Found['of'] }) {
  const { i18n } = useLingui();
  if (!of) return null;
  const { resource, row } = of;
  const columns = resource.columns.filter(({ hidden }) => !hidden).slice(0, 5);
  return (
    <div
      aria-hidden
      className="sticky top-14 w-[320px] shrink-0 rounded-touch bg-muted p-4 max-lg:hidden [&_a]:pointer-events-none"
    >
      <RowPreview resource={resource} row={row} />
      <Facts of={columns.map(({ title, cell: Cell }) => [i18n._(title), <Cell row={row} />])} />
    </div>
  );
}

function RowPreview({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const name = useName(resource)(row);
  return (
    <div className="mb-2 grid gap-1">
      <RowPicture resource={resource} picture={resource.picture?.(row)} />
      <p className="text-base font-semibold wrap-break-word">{name || '–'}</p>
      <p className="flex flex-wrap items-center justify-between gap-2 text-quiet">
        {resource.code?.(row)}
        <StatusChip resource={resource} row={row} />
      </p>
    </div>
  );
}

/** The three screens and additions whose names have the most pairs of letters in common with the words. */
function useNearest(words: string): Group {
  const { t } = useLingui();
  const all = [...useScreens('').found, ...useActions('', { all: true }).found];
  const wanted = pairs(words);
  const near = all
    .map((found) => ({ found, common: [...pairs(found.title)].filter((pair) => wanted.has(pair)).length }))
    .sort((a, b) => b.common - a.common)
    .slice(0, 3);
  return { title: t`Perhaps`, found: words ? near.map(({ found }) => found) : [] };
}

function pairs(text: string) {
  const letters = [...text.toLowerCase()];
  return new Set(letters.slice(1).map((letter, i) => `${letters[i]}${letter}`));
}

/** Screens of the menu by their names; all of them before anything is typed. */
function useScreens(words: string): Group {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const { titleOf, pathOf } = useScreenNames();
  const found = menu.flatMap(({ title, icon: Icon, screens }) =>
    screens
      .filter(({ module }) => can(module, 'v'))
      .map((screen) => ({
        key: screen.path,
        icon: <Icon aria-hidden />,
        title: titleOf(screen),
        line: screens.length > 1 ? i18n._(title) : '',
        screen: pathOf(screen),
      })),
  );
  const wanted = words.toLowerCase();
  return {
    title: t`Menu`,
    found: found.filter(({ title, line }) => `${title} ${line}`.toLowerCase().includes(wanted)),
  };
}

/** What has exactly this code, number or mobile number, of what this person may see. */
function useExact(words: string): { group: Group; asking: boolean } {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { rows, asking } = useFoundExactly(words);
  const found = rows.flatMap((row): Found[] => {
    const resource = resources.find(({ table }) => table === row.record_table);
    if (!resource) return [];
    const title = row.record_name || row.person || '–';
    const line = [i18n._(resource.one), text(row, 'name'), title === row.person ? '' : row.person];
    return [
      {
        key: `exact-${row.record_table}-${row.record_id}`,
        icon: <FoundIcon resource={resource} row={{ id: row.record_id } as AnyRow} />,
        title,
        line: line.filter(Boolean).join(' · '),
        screen: resource.path,
        id: row.record_id,
      },
    ];
  });
  return { group: { title: t`Exactly this`, found }, asking };
}

/** The tables whose records are found, in this order. */
const searched: Table[] = ['customer', 'voucher', 'orders', 'salepackage', 'depositqrtransaction', 'agent', 'staff'];

/** The first few of each table, asked for at once, and only where this person may see it. */
function useRecords(words: string) {
  const { i18n } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const mine = searched.flatMap((table) => resources.filter((one) => one.table === table && can(one.module, 'v')));
  const answers = useQueries({
    queries: mine.map(({ table }) => ({
      ...listQuery(table, { search: words, limit: each }),
      enabled: words !== '',
      placeholderData: keepPreviousData,
    })),
  });
  const groups = mine.map((resource, i): Group => {
    const rows: AnyRow[] = words === '' ? [] : ((answers[i]?.data?.data ?? []) as AnyRow[]);
    return {
      title: i18n._(resource.title),
      found: rows.map((row) => {
        const name = resource.name(row);
        return {
          key: `${resource.table}-${row.id}`,
          icon: <FoundIcon resource={resource} row={row} />,
          title: typeof name === 'string' ? name : text(name as { name_th: string; name_en: string }, 'name'),
          line: (resource.found ?? resource.code)?.(row) ?? '',
          screen: resource.path,
          id: row.id ?? '',
          of: { resource, row },
        };
      }),
    };
  });
  return {
    groups,
    asking: answers.some(({ isFetching }) => isFetching),
    failed: words !== '' && answers.some(({ isError }) => isError),
  };
}

/** A person's face, or the picture of the menu's group. */
function FoundIcon({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  if (resource.shape === 'person') return <Avatar src={resource.picture?.(row) ?? ''} size={32} />;
  const Icon = findScreen(resource.path)?.group.icon ?? Search;
  return <Icon aria-hidden />;
}

/** What can be added, by who may. */
function useActions(words: string, { all = false } = {}): Group {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const found = resources
    .filter((resource) => isEditable(resource) && can(resource.module, 'i'))
    .map((resource) => ({
      key: `add-${resource.path}`,
      icon: <Plus aria-hidden />,
      title: t`Add ${i18n._(resource.one)}`,
      line: '',
      screen: resource.path,
      id: 'new',
    }))
    .filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  return { title: t`Add`, found: words || all ? found : [] };
}
