import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { DrawerContent } from '@wlv/ui/drawer';
import { dateTime } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { Check, CircleAlert, Store } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type FieldErrors, FormProvider, get } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { FormPathContext, RefusalsContext } from '../../form/fields.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { saveRecord, setStatus } from '../../resource/calls.ts';
import { useLookup } from '../../resource/lookup.ts';
import { Meta, own, Publish, SaveFault, Unsaved, WatchedPreview } from '../../resource/record-form.tsx';
import type { AnyRow, EditorProps, RecordOf } from '../../resource/resource.ts';
import { OnSale } from './on-sale.tsx';
import { checkPackage, freshPackage, missingForSale, type PackageValues, sentPackage } from './package.ts';
import { PackageFields } from './package-fields.tsx';
import { PackagePreview } from './package-preview.tsx';

type Package = RecordOf<'salepackage'>;

const table = 'salepackage';
const path = '/api/owner/save/salepackage';
const onSale = 5;

/**
 * The form of a package. A draft is saved as it is; putting it on sale first says what is missing, at each field and in
 * the foot.
 */
export function PackageEditor({ resource, record, onClose, onReload }: EditorProps) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const places = useLookup('service_point');
  const leaving = useRef(false);
  const selling = useRef(false);
  const kept = useRef(record);
  const [sold, setSold] = useState<Package>();
  const [asksFree, setAsksFree] = useState(false);
  const partsId = useId();

  const { form, changed, saving, error, submit } = useOfficeForm<PackageValues, Package>({
    limits: path,
    values: record ? shown(record) : freshPackage(),
    prepare: (values) => sentPackage(values) as PackageValues,
    check: (values) => ({
      ...checkPackage(values),
      ...(selling.current ? missingForSale(values, places.asked.data?.data.length ?? null) : {}),
    }),
    send: async (values): Promise<Package> => {
      const saved = kept.current && !changed ? kept.current : await keep(values);
      if (selling.current && saved.status !== onSale) await setStatus(table, [String(saved.id)], onSale);
      return saved as Package;
    },
    onSaved: (saved) => {
      leaving.current = true;
      void client.invalidateQueries({ predicate: ({ queryKey }) => lists.includes(String(queryKey[0])) });
      if (selling.current && record?.status !== onSale) return setSold(saved);
      toast(
        saved.status === onSale
          ? { tone: 'ok', title: t`Saved`, line: t`Customers see it like this now.` }
          : { tone: 'ok', title: t`Saved as a draft`, line: t`Customers do not see it yet.` },
      );
      onClose();
    },
  });

  // What is refused after it is saved already: it must not be added once more.
  const keep = async (values: PackageValues) => {
    kept.current = await saveRecord(table, {
      ...values,
      parts: values.parts.filter(named),
      ...(kept.current ? { id: kept.current.id, updated_at: kept.current.updated_at } : {}),
    });
    form.reset(shown(kept.current));
    void client.invalidateQueries({ predicate: ({ queryKey }) => lists.includes(String(queryKey[0])) });
    return kept.current;
  };
  const focus = (field: string) => {
    if (field === 'parts') document.getElementById(partsId)?.focus();
    else form.setFocus(field as 'name_th');
  };
  const save = (sells: boolean) => {
    selling.current = sells;
    void form.handleSubmit(
      (values) => (sells && !values.price_satang ? setAsksFree(true) : submit()),
      (errors) => {
        const [first] = missingFields(errors);
        if (first) focus(first.field);
      },
    )();
  };

  if (sold) return <OnSale product={sold} />;
  const isOnSale = record?.status === onSale;
  const sells = !isOnSale && can(resource.module, 's');
  const { errors } = form.formState;
  const missing = selling.current ? missingFields(errors) : [];
  return (
    <FormProvider {...form}>
      <FormPathContext value={path}>
        <RefusalsContext value={resource.refusals ?? {}}>
          <DrawerContent
            title={record ? t`Edit package` : t`New package`}
            meta={record ? <Meta resource={resource} record={record} /> : <Chip>{t`Draft`}</Chip>}
            note={<Unsaved changed={changed} />}
            aside={<WatchedPreview preview={PackagePreview as never} />}
            onInteractOutside={(event) => event.preventDefault()}
            foot={
              <>
                <span className="min-w-0 flex-1 text-caption text-quiet max-sm:basis-full">
                  {missing.length > 0 ? (
                    <Missing fields={missing} onFocus={focus} />
                  ) : (
                    <span className="max-sm:sr-only">
                      {record?.updated_at && t`Last changed ${dateTime(record.updated_at)}`}
                    </span>
                  )}
                </span>
                {isOnSale && <Publish resource={resource} record={record} changed={changed} />}
                <Button
                  variant={sells ? 'outline' : 'default'}
                  size="office"
                  className="max-sm:flex-1"
                  disabled={saving || Boolean(record && !changed)}
                  onClick={() => save(false)}
                >
                  {!sells && <Check aria-hidden />}
                  {isOnSale ? t`Save` : t`Save as a draft`}
                </Button>
                {sells && (
                  <Button size="office" className="max-sm:flex-1" disabled={saving} onClick={() => save(true)}>
                    <Store aria-hidden />
                    {saving ? t`Saving…` : record && !changed ? t`Put on sale` : t`Save and put on sale`}
                  </Button>
                )}
              </>
            }
          >
            <form
              noValidate
              className="grid grid-cols-1 gap-5"
              onSubmit={(event) => {
                event.preventDefault();
                save(false);
              }}
            >
              <SaveFault error={error} onReload={onReload} />
              <PackageFields partsId={partsId} />
              <button type="submit" hidden />
            </form>
          </DrawerContent>
          <LeaveQuestion changed={changed} leaving={leaving} />
          <Dialog open={asksFree} onOpenChange={setAsksFree}>
            <DialogContent
              title={t`Sell it for ฿0.00?`}
              description={t`Everybody can take one without paying. You can still set a price.`}
              foot={
                <div className="flex justify-end gap-2.5">
                  <Button
                    size="office"
                    variant="outline"
                    onClick={() => {
                      setAsksFree(false);
                      void submit();
                    }}
                  >{t`Give it away`}</Button>
                  <Button size="office" autoFocus onClick={() => setAsksFree(false)}>{t`Set a price`}</Button>
                </div>
              }
            />
          </Dialog>
        </RefusalsContext>
      </FormPathContext>
    </FormProvider>
  );
}

/** What a change of one package may change in lists, while its own form stays open. */
const lists = [`/api/owner/get/${table}`, '/api/owner/get/vouchertype'];

const named = (part: PackageValues['parts'][number]) =>
  Boolean(part.voucher_type_id || part.gift_voucher_id || part.new_voucher_type);

/** A draft of 0 has no price yet. */
function shown(record: AnyRow): PackageValues {
  const values = own(freshPackage(), record) as unknown as PackageValues;
  return { ...values, price_satang: record.status === 1 && !values.price_satang ? null : values.price_satang };
}

interface MissingField {
  field: string;
  title: MessageDescriptor;
}

/** In the order in which they stand in the form. */
const titles: [RegExp, MessageDescriptor][] = [
  [/^picture_id$/, msg`a picture of the package`],
  [/^name_th$/, msg`the name in Thai`],
  [/^price_satang$/, msg`the sale price`],
  [/^parts$/, msg`what the customer receives`],
  [/\.name_th$/, msg`a name for what the customer receives`],
  [/\.service_points$/, msg`a place to use it`],
  [/^sale_to$/, msg`a last day of sale`],
];

function missingFields(errors: FieldErrors<PackageValues>): MissingField[] {
  const rows = Object.keys(errors.parts ?? {}).filter((key) => /^\d+$/.test(key));
  const candidates = [
    'picture_id',
    'name_th',
    'price_satang',
    'parts',
    ...rows.flatMap((i) => [`parts.${i}.new_voucher_type.name_th`, `parts.${i}.new_voucher_type.service_points`]),
    'sale_to',
  ];
  return candidates.flatMap((field) => {
    const title = titles.find(([pattern]) => pattern.test(field))?.[1];
    const error: { message?: string } | undefined = get(errors, field);
    return error?.message && title ? [{ field, title }] : [];
  });
}

function Missing({ fields, onFocus }: { fields: MissingField[]; onFocus: (field: string) => void }) {
  const { t, i18n } = useLingui();
  const id = useId();
  return (
    <span role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-x-1.5 text-sm text-foreground">
      <CircleAlert aria-hidden className="size-4 text-bad-text" />
      <span id={id}>{t`It cannot go on sale yet. Missing:`}</span>
      {fields.map(({ field, title }, i) => (
        <button
          key={field}
          type="button"
          className="min-h-11 font-medium text-bad-text underline underline-offset-4"
          onClick={() => onFocus(field)}
        >
          {i18n._(title)}
          {i < fields.length - 1 && ','}
        </button>
      ))}
    </span>
  );
}
