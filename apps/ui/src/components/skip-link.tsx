import { useLingui } from '@lingui/react/macro';

/** The first stop of the keyboard: past all menus, to the element with the id `content`. Seen only when it is focused. */
export function SkipLink() {
  const { t } = useLingui();
  return (
    <a
      data-slot="skip-link"
      href="#content"
      className="sr-only rounded-control bg-popover px-4 py-2 focus:not-sr-only focus:fixed focus:left-4 focus:top-4 focus:z-50"
    >
      {t`Skip to content`}
    </a>
  );
}
