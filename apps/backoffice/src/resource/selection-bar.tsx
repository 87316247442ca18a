import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { usePerson } from '../access/person.ts';
import type { Listing } from './listing.ts';
import type { AnyResource } from './resource.ts';
import { useStatusChange } from './status-change.tsx';

const button =
  'inline-flex h-10 shrink-0 items-center gap-[7px] rounded-small px-3 font-medium hover:bg-background/15 disabled:opacity-100 [&_svg]:size-[17px] [--focus:var(--bg)]';

/** Ink over the foot of the list, while rows are selected. */
export function SelectionBar({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const { selected } = listing;
  const Many = resource.many;
  const clear = () => listing.change({ sel: undefined });
  const { start, question, pending } = useStatusChange(resource, clear);
  if (!selected.length || !(can(resource.module, 's') || (Many && can(resource.module, 'u')))) return question;
  return (
    <>
      <div
        role="region"
        data-foot=""
        aria-label={t`Selection`}
        className="no-scrollbar fixed inset-x-3 bottom-3 z-20 mx-auto lg:left-[260px] flex h-[52px] w-fit max-w-[calc(100vw-24px)] items-center gap-1 overflow-x-auto rounded-office bg-foreground pl-5 pr-2 text-background shadow-float animate-in slide-in-from-bottom-4"
      >
        <span className="mr-3 shrink-0 font-medium">{t`${selected.length} selected`}</span>
        {resource.actions?.map((action) => {
          const Icon = action.icon;
          return (
            <button
              key={action.status}
              type="button"
              disabled={pending}
              className={button}
              onClick={() => start(action, selected)}
            >
              <Icon aria-hidden />
              {i18n._(action.title)}
            </button>
          );
        })}
        {Many && <Many of={{ selected }} className={button} />}
        <button type="button" aria-label={t`Select nothing`} className={button} onClick={clear}>
          <X aria-hidden />
        </button>
      </div>
      {question}
    </>
  );
}
