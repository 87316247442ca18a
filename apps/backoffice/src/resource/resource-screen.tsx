import { usePerson } from '../access/person.ts';
import { RecordPage } from '../record/record-page.tsx';
import { Elsewhere } from '../shell/elsewhere.tsx';
import { ListScreen } from './list-screen.tsx';
import { RecordDrawer } from './record-drawer.tsx';
import { type AnyResource, isEditable } from './resource.ts';

/** The screen of a resource: its list, and the record that the address names, over it or on a page of its own. */
export function resourceScreen(resource: AnyResource) {
  return function ResourceScreen({ id }: { id?: string | undefined }) {
    const { can } = usePerson();
    // An address may ask for what is not offered here, or not to this person.
    const offered = id !== 'new' || (isEditable(resource) && can(resource.module, 'i'));
    if (!offered) return <Elsewhere to={`/owner/${resource.path}`} />;
    if (id && resource.story) return <RecordPage key={id} resource={resource} id={id} />;
    return (
      <>
        <ListScreen resource={resource} />
        {id && <RecordDrawer key={id} resource={resource} id={id} />}
      </>
    );
  };
}
