import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { useBrand } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Note } from '@wlv/ui/note';
import { CirclePause, DoorOpen } from 'lucide-react';
import type { Application } from '../../application/application.ts';
import { Details } from '../../application/details.tsx';
import { OtherAccount, useBegin } from '../../application/intro.tsx';
import { Frame } from './frame.tsx';

/** For who is suspended, or has left: what still holds, and the way back. */
export function Ended({ application, onFill }: { application: Application; onFill: () => void }) {
  const { t } = useLingui();
  const brand = useBrand();
  const begin = useBegin();
  const suspended = application.state === 'suspended';
  return (
    <Frame title={t`Agent`}>
      <Note
        className="mt-3"
        tone={suspended ? 'warn' : 'mute'}
        icon={suspended ? <CirclePause aria-hidden /> : <DoorOpen aria-hidden />}
        title={suspended ? t`The shop has paused your selling` : t`You don't sell for ${brand} any more`}
      >
        {suspended
          ? t`Your links do not sell for now. What you have earned stays yours and is still paid. Ask the shop when you can go on.`
          : t`What you have earned is still paid. You can apply again whenever you like.`}
      </Note>
      {application.known && (
        <Card className="mt-4 px-4 py-1">
          <Details of={application.known} />
        </Card>
      )}
      <FaultNote className="mt-4" error={begin.error} />
      <div className="mt-6 grid gap-2">
        <Button
          wide
          variant={suspended ? 'outline' : 'default'}
          disabled={begin.isPending}
          onClick={() => begin.mutate({}, { onSuccess: onFill })}
        >
          {suspended ? t`Change your details` : t`Apply again`}
        </Button>
        <OtherAccount />
      </div>
    </Frame>
  );
}
