import { useLingui } from '@lingui/react/macro';
import { adminModules } from '@wlv/client/modules.gen';
import { useTexts } from '@wlv/client/page';
import { Checkbox } from '@wlv/ui/checkbox';

const letters = ['v', 'i', 'u', 'a'] as const;
type Letter = (typeof letters)[number];

/** Letters by module. */
export type Rights = Record<string, string[]>;

/** Switches a letter. Without `v` there is nothing else: taking it takes all, and giving another one gives it. */
export function switchLetter(rights: Rights, module: string, letter: Letter): Rights {
  const has = rights[module] ?? [];
  if (has.includes(letter)) {
    return { ...rights, [module]: letter === 'v' ? [] : has.filter((one) => one !== letter) };
  }
  return { ...rights, [module]: letters.filter((one) => one === 'v' || one === letter || has.includes(one)) };
}

/** The modules of the administration by letters, where a letter does something. */
export function LetterTable({
  rights,
  locked,
  onChange,
}: {
  rights: Rights;
  locked: boolean;
  onChange: (rights: Rights) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const names: Record<Letter, string> = { v: t`See`, i: t`Add`, u: t`Change`, a: t`Approve` };
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr className="bg-muted text-caption text-muted-foreground">
            <th scope="col" className="h-[44px] px-5 text-left font-medium">{t`Menu`}</th>
            {letters.map((letter) => (
              <th key={letter} scope="col" className="whitespace-nowrap px-2 text-center font-medium">
                {names[letter]} <kbd className="ml-1 rounded-[6px] bg-card px-1.5 font-sans">{letter}</kbd>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(adminModules).map(([module, called]) => (
            <tr key={module} className="h-[47px] shadow-[inset_0_-1px_0_var(--line)]">
              <th scope="row" className="px-5 text-left font-medium">
                {text(called, 'name')}
              </th>
              {letters.map((letter) => (
                <td key={letter} className="text-center">
                  {called.letters.includes(letter) ? (
                    <Checkbox
                      size="office"
                      aria-label={`${names[letter]}: ${text(called, 'name')}`}
                      disabled={locked}
                      checked={Boolean(rights[module]?.includes(letter))}
                      onCheckedChange={() => onChange(switchLetter(rights, module, letter))}
                    />
                  ) : (
                    <span className="text-quiet">–</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
