import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { type AnyFault, loadFaults } from '@wlv/client/faults';
import { type FormPath, faultOf, limitedFields } from '@wlv/client/limits';
import { type DefaultValues, type FieldValues, get, type Path, type Resolver, set, useForm } from 'react-hook-form';

/** Rules between fields: the path of the field, and what is wrong there. */
export type Check<Values> = (values: Values) => Partial<Record<string, AnyFault>>;

interface Options<Values extends FieldValues, Saved> {
  /** The call whose limits hold for this form. */
  limits: FormPath;
  values: Values;
  check?: Check<Values> | undefined;
  /** What is sent for what is shown, when an empty field has a meaning of its own; the limits are those of what is sent. */
  prepare?: ((values: Values) => Values) | undefined;
  send: (values: Values) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
}

/**
 * A form that refuses what the server would refuse, with the same sentences; what only the server knows comes back to
 * the field it is about. While it is under way, it can't be sent again.
 */
export function useOfficeForm<Values extends FieldValues, Saved>(options: Options<Values, Saved>) {
  const form = useForm<Values>({
    defaultValues: options.values as DefaultValues<Values>,
    resolver: resolver(options.limits, options.check, options.prepare),
    mode: 'onTouched',
  });
  const { dirtyFields } = form.formState;

  const save = useMutation({
    mutationFn: options.send,
    onSuccess: (saved) => {
      form.reset(form.getValues());
      options.onSaved(saved);
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : [];
      fields.forEach(({ path, fault }, i) => {
        const name = ownField(path, form.getValues()) as Path<Values>;
        form.setError(name, { type: 'server', message: fault }, { shouldFocus: i === 0 });
      });
    },
  });

  return {
    form,
    /** How many fields differ from what was read. */
    changed: leaves(dirtyFields),
    saving: save.isPending,
    error: save.error,
    submit: form.handleSubmit(async (values) => {
      if (save.isPending) return;
      await save.mutateAsync(values).catch(() => undefined);
    }),
    /** Sends something else than what is shown, under the same rules. */
    submitAs: (change: Partial<Values>) =>
      form.handleSubmit(async (values) => {
        if (save.isPending) return;
        await save.mutateAsync({ ...values, ...change }).catch(() => undefined);
      })(),
  };
}

function resolver<Values extends FieldValues>(
  path: FormPath,
  check?: Check<Values>,
  prepare: (values: Values) => Values = (values) => values,
): Resolver<Values> {
  return async (values) => {
    const errors = {};
    const refuse = (name: string, fault: string) => {
      if (!get(errors, name)) set(errors, name, { type: fault, message: fault });
    };
    const sent = prepare(values);
    for (const { name, limit, value } of limitedFields(path, sent)) {
      const fault = faultOf(limit, value);
      if (fault) refuse(name, fault);
    }
    for (const [name, fault] of Object.entries(check?.(values) ?? {})) if (fault) refuse(name, fault);
    if (!Object.keys(errors).length) return { values: sent, errors: {} };
    await loadFaults();
    return { values: {}, errors };
  };
}

/** The form's own field that a fault is about: `hosts.0` belongs to `hosts` where that is one field. */
function ownField(path: string, values: FieldValues) {
  const parts = path.split('.');
  while (parts.length > 1 && get(values, parts.join('.')) === undefined) parts.pop();
  return parts.join('.');
}

function leaves(dirty: unknown): number {
  if (dirty === true) return 1;
  if (Array.isArray(dirty)) return dirty.some((one) => leaves(one)) ? 1 : 0;
  if (typeof dirty !== 'object' || dirty === null) return 0;
  return Object.values(dirty).reduce((sum: number, one) => sum + leaves(one), 0);
}
