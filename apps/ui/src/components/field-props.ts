import { createContext, useContext } from 'react';

/** Apart from Field: an input that stands alone, as the search does, needs only this. */
export const FieldContext = createContext<{
  id: string;
  described: string | undefined;
  invalid: boolean;
} | null>(null);

/** What a control inside a Field needs to be tied to its label, help and error. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return { id: field.id, 'aria-describedby': field.described, 'aria-invalid': field.invalid || undefined };
}
