import type { MessageDescriptor } from '@lingui/core';
import type { Body, Detail, Path, Row } from '@wlv/client/call';
import type { AnyFault } from '@wlv/client/faults';
import type { ChipTone } from '@wlv/ui/chip';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { StoryOf, StoryTable } from '../record/story.ts';

type Named<Prefix extends string> = { [P in Path]: P extends `${Prefix}${infer T}` ? T : never }[Path];

/** A declared table by its name on the wire, and those whose rows a form can save. */
export type Table = Named<'/api/owner/get/'>;
export type EditableTable = Extract<Table, Named<'/api/owner/save/'>>;

/** A row of the list: what was not selected is not there. */
export type RowOf<T extends Table> = Row<`/api/owner/get/${T}`>;
/** One record with everything that belongs to it. */
export type RecordOf<T extends Table> = Detail<`/api/owner/detail/${T}`>;
/** What its form sends. */
export type ValuesOf<T extends EditableTable> = Body<`/api/owner/save/${T}`>;

export interface Column<R> {
  /** The field that is sorted by, where it may be. */
  name: keyof R & string;
  title: MessageDescriptor;
  cell: ComponentType<{ row: R }>;
  numeric?: boolean;
  sorts?: boolean;
  /** Shown only when somebody asks for it. */
  hidden?: boolean;
  /** From a wide screen on: a tablet has no room for it. */
  wide?: boolean;
  /** Shown only where a row of the page has something there. */
  whenUsed?: boolean;
  /** What it is on a phone's card, which shows the first column of each part. */
  card?: CardPart;
  /** How it is written there, where there is no room for its cell. */
  cardCell?: ComponentType<{ row: R }>;
}

/** The parts of a phone's card: a sum, when, and what it is about. */
export type CardPart = 'amount' | 'instant' | 'what';

interface Choice {
  value: string;
  title: MessageDescriptor;
}

/** The option lists whose numbers stand in other tables. */
export type NumberedList = 'salechannel' | 'customertype';

/** What the list can be narrowed by; the field's type decides what the server takes. */
export type Filter<R> = { name: keyof R & string; title: MessageDescriptor } & (
  | { kind: 'choice'; choices: readonly Choice[]; number?: boolean }
  | { kind: 'yes' }
  | { kind: 'money' }
  /** Coming: of days that mostly are still to come. */
  | { kind: 'instant' | 'day'; coming?: true }
  | { kind: 'lookup'; table: Table }
  | { kind: 'option'; list: NumberedList }
);

/** A tab over the list: a filter under a name. */
interface View {
  title: MessageDescriptor;
  filter: Record<string, unknown>;
  /** What the tab says while it is empty; the one without a filter says what the resource does. */
  empty?: MessageDescriptor;
}

/** A status that may be given to rows: 2 inactive, 4 suspended, 5 active, 9 deleted. */
export interface StatusAction {
  status: 2 | 4 | 5 | 9;
  title: MessageDescriptor;
  icon: LucideIcon;
  /** Asked before it is done; for what can't be taken back. */
  question?: MessageDescriptor;
  /** Of which rows it can be done; all where it is left out. */
  from?: readonly number[];
}

export interface StatusStyle {
  title: MessageDescriptor;
  tone: ChipTone;
}

/** The form of a record: its fields, what a new one begins with, rules between fields, and how customers will see it. */
export interface Form<V> {
  /** The id of a record that is saved already. */
  fields: ComponentType<{ fresh: boolean; id?: string | undefined }>;
  fresh: V;
  check?: (values: V) => Partial<Record<string, AnyFault>>;
  preview?: ComponentType<{ values: V; id?: string | undefined }>;
}

/** What the drawer of a record is given; without a record it adds one. */
export interface EditorProps {
  resource: AnyResource;
  record?: AnyRow;
  onClose: () => void;
  /** Reads the record anew. */
  onReload?: () => void;
}

/** What a list is narrowed to, and which of its rows are selected. */
export interface Chosen {
  filter?: Record<string, unknown>;
  search?: string;
  selected: readonly string[];
}

/** Where a screen stands in the menu: the lowest `place` of its group comes first. */
export interface MenuPlace {
  group:
    | 'dashboard'
    | 'approvals'
    | 'customers'
    | 'reports'
    | 'products'
    | 'members'
    | 'agents'
    | 'staff'
    | 'settings'
    | 'advanced';
  place: number;
  /** What the specification calls the screen besides its path without `list`. */
  names?: string[];
  /** Which rows of its table wait for somebody: how many they are stands beside the screen's name. */
  waiting?: Record<string, unknown>;
}

/**
 * One table of the back office. List, form, export and rights are written once, against this; a resource that needs
 * a third exception leaves the registry and gets its own screen.
 */
export interface Resource<T extends Table, R = RowOf<T>> {
  table: T;
  module: string;
  /** Its screen: `/owner/{path}`. */
  path: string;
  menu: MenuPlace;
  title: MessageDescriptor;
  /** One of them, in a sentence. */
  one: MessageDescriptor;
  /** What a row is called: in cards, in the drawer's head. */
  name: (row: R) => string | { name_th?: string; name_en?: string } | { words: MessageDescriptor };
  /** The field that the name is sorted by. Left out: `name_th` or `name_en`, by the person's language, where rows have them. */
  nameSorts?: keyof R & string;
  /** Grows for ever: only columns that say so are sorted by. */
  grows?: boolean;
  /** Under the name. */
  code?: (row: R) => string | undefined;
  /** Where the search over all of the office shows it among others of its table; `code`, when left out. */
  found?: (row: R) => string | undefined;
  /** A picture of ours by its id, or of LINE by its address; absent where rows have none. */
  picture?: (row: R) => string | null | undefined;
  /** `person` shows it round. */
  shape?: 'picture' | 'person';
  columns: Column<R>[];
  /** What a phone's card shows in place of the name and its picture. */
  card?: { name?: (row: R) => string; picture?: (row: R) => string | null | undefined };
  filters?: Filter<R>[];
  views?: View[];
  /** Of rows whose state is not the number alone. */
  look?: (row: R) => StatusStyle | null;
  actions?: StatusAction[];
  /** Why an action is refused, by `field:fault`, where our word for the fault does not say what to do. */
  refusals?: Record<string, MessageDescriptor>;
  form?: T extends EditableTable ? Form<ValuesOf<T>> : never;
  /** In place of `form`: the drawer that adds and edits a record, where saving is not all that it does. */
  editor?: T extends EditableTable ? ComponentType<EditorProps> : never;
  /** A record that stays as it is for good: it is read, never edited. */
  fixed?: (record: RecordOf<T>) => boolean;
  /** Another way to add one, beside the button that adds. */
  beside?: ComponentType;
  /** What stands beside the list, and above it where there is no room. */
  aside?: ComponentType;
  /** What can be done with many at once: those that are selected, or all that the list shows. */
  many?: ComponentType<{ of: Chosen; className?: string }>;
  /** The page of a record, instead of the drawer: what happened to it, from its own call. */
  story?: T extends StoryTable ? ComponentType<{ story: StoryOf<T>; resource: AnyResource }> : never;
  /** What the drawer shows of a record that is not edited. */
  facts?: ComponentType<{ record: RecordOf<T> }>;
  /** Something else that can be done with one record, in its drawer while nothing is unsaved. */
  extra?: ComponentType<{ record: RecordOf<T> }>;
  /** What stands in place of a list without any row. `action` is what can be done about that. */
  empty: { title: MessageDescriptor; line: MessageDescriptor; action?: ComponentType };
}

/** A resource whose table is no longer known, as the screens that are written once see it. */
export type AnyRow = Record<string, unknown> & { id?: string; status?: number; updated_at?: string };
// The engine keeps a resource's components with rows of its own type; TypeScript can't express that without `any`.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
export interface AnyResource
  extends Omit<Resource<Table, Any>, 'form' | 'editor' | 'fixed' | 'story' | 'facts' | 'extra'> {
  form?: Form<Any>;
  editor?: ComponentType<EditorProps>;
  fixed?: (record: Any) => boolean;
  story?: ComponentType<{ story: Any; resource: AnyResource }>;
  facts?: ComponentType<{ record: Any }>;
  extra?: ComponentType<{ record: Any }>;
}

/** Its records can be added and changed. */
export const isEditable = ({ form, editor }: AnyResource) => Boolean(form ?? editor);

export function defineResource<T extends Table>(resource: Resource<T>): AnyResource {
  return resource as unknown as AnyResource;
}
