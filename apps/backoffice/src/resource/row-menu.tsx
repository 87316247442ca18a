import { useLingui } from '@lingui/react/macro';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { clsx } from 'clsx';
import { Ellipsis } from 'lucide-react';
import type { AnyResource, AnyRow } from './resource.ts';
import { useStatusChange } from './status-change.tsx';

/** What may be done with one row without opening it; `framed` at the head of its page. */
export function RowMenu({ resource, row, framed }: { resource: AnyResource; row: AnyRow; framed?: boolean }) {
  const { t, i18n } = useLingui();
  const { start, question, pending } = useStatusChange(resource);
  const actions =
    resource.actions?.filter(
      ({ status, from }) => status !== row.status && (!from || from.includes(row.status ?? 0)),
    ) ?? [];
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          aria-label={t`More`}
          disabled={pending}
          className={clsx(
            'relative z-[1] inline-grid place-items-center rounded-small',
            framed
              ? 'size-10 bg-card shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted'
              : 'size-9 text-quiet hover:bg-foreground/5',
          )}
        >
          <Ellipsis aria-hidden className="size-[18px]" />
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {actions.map((action) => {
            const Icon = action.icon;
            return (
              <DropdownMenuItem
                key={action.status}
                destructive={action.status === 9}
                onSelect={() => start(action, row)}
              >
                <Icon aria-hidden />
                {i18n._(action.title)}
              </DropdownMenuItem>
            );
          })}
        </DropdownMenuContent>
      </DropdownMenu>
      {question}
    </>
  );
}
