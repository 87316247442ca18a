import { Trans, useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Checkbox } from '@wlv/ui/checkbox';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { FormError } from '@wlv/ui/field';
import { Fragment, useState } from 'react';

type Version = Detail<'/api/user/order/quote'>['consents'][number];

/** Ticked for these texts only: a version that follows one of them meanwhile has to be read and ticked anew. `before` were ticked already. */
export function useAccepted(consents: Version[], before?: string[]) {
  const texts = consents.map(({ _id }) => _id).join();
  const [ticked, setTicked] = useState(() => before?.join());
  return [ticked === texts, (on: boolean) => setTicked(on ? texts : undefined)] as const;
}

/** One tick for all that must be accepted; each text opens to be read. */
export function Consent({
  consents,
  accepted,
  onAccept,
  missing,
}: {
  consents: Version[];
  accepted: boolean;
  onAccept: (accepted: boolean) => void;
  missing: boolean;
}) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-1 gap-1.5 px-1">
      <div className="flex items-start gap-3">
        <Checkbox
          id="consent"
          checked={accepted}
          onCheckedChange={(checked) => onAccept(checked === true)}
          aria-labelledby="consent-text"
          aria-invalid={missing || undefined}
        />
        <p id="consent-text" className="text-sm">
          <label htmlFor="consent">
            <Trans>I have read and accept</Trans>
          </label>{' '}
          {consents.map((version, i) => (
            <Fragment key={version._id}>
              {i > 0 && ` ${t`and`} `}
              <Reader version={version} />
            </Fragment>
          ))}
        </p>
      </div>
      {missing && <FormError>{t`Please read and accept before you pay.`}</FormError>}
    </div>
  );
}

function Reader({ version }: { version: Version }) {
  const text = useTexts();
  const title = text(version, 'name');
  return (
    <Dialog>
      <DialogTrigger className="inline font-medium text-brand-text underline-offset-4 hover:underline">
        {title}
      </DialogTrigger>
      <DialogContent shape="sheet" title={title}>
        <p className="whitespace-pre-line text-row text-muted-foreground">{text(version, 'body')}</p>
      </DialogContent>
    </Dialog>
  );
}
