import { useLingui } from '@lingui/react/macro';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogClose, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { CircleAlert, Plus } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { AddressRow } from '../../form/address-row.tsx';
import { type Host, useHostChange } from './connections.ts';

/** The addresses of an organisation: which are used, and what the DNS of the others must say first. */
export function Hosts({ id, hosts }: { id: string; hosts: Host[] }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [going, setGoing] = useState<string>();
  const verify = useHostChange(id, 'verify');
  const canonical = useHostChange(id, 'canonical');
  const others = hosts.filter(({ verified }) => verified).length > 1;
  const error = verify.error ?? canonical.error;
  return (
    <Card office className="grid grid-cols-1 gap-4 px-5 py-6 sm:px-[30px]">
      <div>
        <h2 className="text-h1-office font-semibold">{t`Addresses`}</h2>
        <p className="text-muted-foreground">{t`Links and messages lead to the main one.`}</p>
      </div>
      {error && (
        <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />}>
          {errorSentence(i18n, error)}
        </Note>
      )}
      <ul className="divide-y">
        {hosts.map((host) => (
          <li key={host.host} className="grid gap-2 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <p className="min-w-0 flex-1 basis-52 break-all font-medium">{host.host}</p>
              {host.canonical && host.verified && <Chip tone="brand">{t`Main address`}</Chip>}
              {!host.verified && <Chip tone="warn">{t`Waits for its DNS`}</Chip>}
              {can('organize', 'u') && (
                <>
                  {host.verified && !host.canonical && (
                    <Button
                      size="row"
                      variant="outline"
                      disabled={canonical.isPending}
                      onClick={() => canonical.mutate(host.host)}
                    >
                      {t`Make it the main one`}
                    </Button>
                  )}
                  {!host.verified && (
                    <Button
                      size="row"
                      variant="outline"
                      disabled={verify.isPending}
                      onClick={() => verify.mutate(host.host)}
                    >
                      {t`Look now`}
                    </Button>
                  )}
                  {(!host.verified || others) && (
                    <Button
                      size="row"
                      variant="ghost"
                      aria-label={t`Take ${host.host} away`}
                      onClick={() => setGoing(host.host)}
                    >
                      {t`Take away`}
                    </Button>
                  )}
                </>
              )}
            </div>
            {!host.verified && (
              <Note tone="mute">
                {t`Set this TXT record. We look every ten minutes.`}
                <ul className="divide-y">
                  <AddressRow name={t`Name`} url={host.record} />
                  <AddressRow name={t`Value`} url={host.value} />
                </ul>
              </Note>
            )}
          </li>
        ))}
      </ul>
      {can('organize', 'u') && <AddHost id={id} />}
      {going && <TakeAway id={id} host={going} onClose={() => setGoing(undefined)} />}
    </Card>
  );
}

function AddHost({ id }: { id: string }) {
  const { t, i18n } = useLingui();
  const [host, setHost] = useState('');
  const add = useHostChange(id, 'add');
  const wrong = add.error instanceof ApiError ? add.error.fields[0]?.fault : undefined;
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (host.trim() && !add.isPending) add.mutate(host.trim(), { onSuccess: () => setHost('') });
      }}
    >
      <Field
        label={t`Another address`}
        className="min-w-0 flex-1 basis-60"
        error={wrong ? faultSentence(i18n, wrong) : add.error ? errorSentence(i18n, add.error) : undefined}
      >
        <Input
          size="office"
          autoComplete="off"
          placeholder="shop.example.com"
          value={host}
          onChange={(event) => setHost(event.target.value)}
        />
      </Field>
      <Button type="submit" size="office" variant="outline" disabled={!host.trim() || add.isPending}>
        <Plus aria-hidden />
        {t`Add`}
      </Button>
    </form>
  );
}

function TakeAway({ id, host, onClose }: { id: string; host: string; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const remove = useHostChange(id, 'remove');
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Take ${host} away?`}
        description={t`Pages, links and QR codes with this address stop working at once.`}
        foot={
          <div className="flex justify-end gap-2.5">
            <DialogClose asChild>
              <Button size="office" variant="outline">{t`Keep`}</Button>
            </DialogClose>
            <Button
              size="office"
              variant="destructive"
              disabled={remove.isPending}
              onClick={() => remove.mutate(host, { onSuccess: onClose })}
            >
              {t`Take it away`}
            </Button>
          </div>
        }
      >
        {remove.error && (
          <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />}>
            {errorSentence(i18n, remove.error)}
          </Note>
        )}
      </DialogContent>
    </Dialog>
  );
}
