import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';

type Shop = Detail<'/api/public/shop/find'>['data'][number];

/** Finds a customer's shop by a part of its name, and leads to where he signs in there. */
export function FindShop() {
  const { t } = useLingui();
  // The server goes on to the shop whose short name this is; it is still here where there is no such shop.
  const { unique: unknown = '' } = useSearch<{ unique?: string }>();
  const [typed, setTyped] = useState(unknown);
  const [wanted, setWanted] = useState('');
  const [asked, setAsked] = useState(Boolean(unknown));
  const name = typed.trim();
  const short = asked && [...name].length < 2 ? t`Enter two letters of its name or more.` : undefined;
  const notThere = unknown && typed === unknown ? t`We couldn't find this shop. Please check the name.` : undefined;
  const found = useQuery({ ...query('/api/public/shop/find', { name: wanted }), enabled: wanted !== '' });
  const shops = wanted && found.data ? found.data.data : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if ([...name].length >= 2) setWanted(name);
  };
  return (
    <Card className="p-5">
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <h2 className="text-h2 font-semibold">{t`Customers`}</h2>
        <Field
          label={t`Your shop`}
          help={t`A part of its name is enough. There you sign in with LINE.`}
          error={short ?? notThere}
        >
          <Input
            value={typed}
            maxLength={80}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button type="submit" wide disabled={found.isFetching}>{t`Find the shop`}</Button>
        <FaultNote error={found.error} />
      </form>
      <div role="status">
        {shops?.length === 0 && (
          <p className="pt-4 text-muted-foreground">{t`No shop is called so. Try a shorter part of its name.`}</p>
        )}
        {Boolean(shops?.length) && (
          <ul className="divide-y pt-3">
            {shops?.map((shop) => (
              <li key={shop.url}>
                <OneShop shop={shop} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function OneShop({ shop }: { shop: Shop }) {
  const text = useTexts();
  return (
    // Another host: its page is loaded anew.
    <a href={shop.url} className="flex min-h-14 items-center gap-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{text(shop, 'name')}</span>
        <span className="block text-caption text-quiet">{text(shop, 'tagline')}</span>
      </span>
      <ChevronRight aria-hidden className="size-[18px] text-quiet" />
    </a>
  );
}
