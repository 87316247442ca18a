import { ListScreen } from './list-screen.tsx';
import { RecordDrawer } from './record-drawer.tsx';
import type { AnyResource } from './resource.ts';

/** The screen of a resource: its list, and the record that the address names over it. */
export function resourceScreen(resource: AnyResource) {
  return function ResourceScreen({ id }: { id?: string | undefined }) {
    return (
      <>
        <ListScreen resource={resource} />
        {id && <RecordDrawer key={id} resource={resource} id={id} />}
      </>
    );
  };
}
