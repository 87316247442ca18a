import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { Fragment } from 'react';
import { doesSomething, type Letter, letters, lettersIn, moduleGroups, type Rights } from '../../access/modules.ts';

/** Modules by letters, where a letter does something. Without "see" the others are dashes; what was changed has a ring. */
export function Matrix({
  before,
  rights,
  locked,
  onToggle,
}: {
  before: Rights;
  rights: Rights;
  locked: boolean;
  onToggle: (module: string, letter: Letter) => void;
}) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const names: Record<Letter, string> = { v: t`See`, i: t`Add`, u: t`Change`, s: t`Change state` };
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr className="bg-muted text-caption text-muted-foreground">
            <th scope="col" className="h-[52px] px-5 text-left font-medium">{t`Menu`}</th>
            {letters.map((letter) => (
              <th key={letter} scope="col" className="whitespace-nowrap px-2 text-center font-medium">
                {names[letter]} <kbd className="ml-1 rounded-[6px] bg-card px-1.5 font-sans">{letter}</kbd>
              </th>
            ))}
            <th scope="col" className="px-5 text-right font-medium">{t`Row`}</th>
          </tr>
        </thead>
        <tbody>
          {moduleGroups.map((group) => (
            <Fragment key={group.modules[0]?.module}>
              <tr>
                <th
                  scope="colgroup"
                  colSpan={letters.length + 2}
                  className="h-8 bg-background px-5 text-left text-caption font-medium text-muted-foreground"
                >
                  {i18n._(group.title)}
                </th>
              </tr>
              {group.modules.map(({ module, ...called }) => (
                <tr key={module} className="h-[47px] shadow-[inset_0_-1px_0_var(--line)]">
                  <th scope="row" className="px-5 text-left font-normal">
                    <span className="font-medium">{text(called, 'name')}</span>
                    <span className="ml-2.5 text-caption text-quiet max-sm:hidden">{module}</span>
                  </th>
                  {letters.map((letter) => (
                    <td key={letter} className="text-center">
                      {doesSomething(module, letter) && (
                        <Cell
                          label={`${names[letter]}: ${text(called, 'name')}`}
                          on={Boolean(rights[module]?.includes(letter))}
                          was={Boolean(before[module]?.includes(letter))}
                          dash={letter !== 'v' && !rights[module]?.includes('v')}
                          locked={locked}
                          onToggle={() => onToggle(module, letter)}
                        />
                      )}
                    </td>
                  ))}
                  <td className="whitespace-nowrap px-5 text-right text-caption text-muted-foreground">
                    {t`${lettersIn(rights, module).length} of ${letters.filter((letter) => doesSomething(module, letter)).length}`}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({
  label,
  on,
  was,
  dash,
  locked,
  onToggle,
}: {
  label: string;
  on: boolean;
  was: boolean;
  dash: boolean;
  locked: boolean;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={on}
      aria-label={label}
      disabled={locked}
      onClick={onToggle}
      className={clsx(
        'relative inline-grid size-[30px] place-items-center rounded-[9px] align-middle after:absolute after:-inset-2',
        on && 'bg-accent text-accent-foreground',
        !on && !dash && 'shadow-[inset_0_0_0_1.25px_var(--line-strong)]',
        !on && dash && 'text-quiet',
        on !== was && 'outline-2 outline-offset-2 outline-warn outline-solid',
      )}
    >
      {on && <Check aria-hidden className="size-[17px]" strokeWidth={2.5} />}
      {!on && dash && <Minus aria-hidden className="size-[15px]" />}
    </button>
  );
}
