import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleAlert, Clock } from 'lucide-react';
import { useState } from 'react';
import { useArea } from '../area.tsx';
import { Failure } from '../shell/failure.tsx';
import { profileKey } from '../shell/profile.ts';
import { useApplication, useKeepApplication } from './application.ts';
import { Details } from './details.tsx';
import { useBegin } from './intro.tsx';

/** Where commission goes, and the way to another account. */
export function Paid() {
  const { t } = useLingui();
  const { go } = useArea();
  const application = useApplication();
  const begin = useBegin();
  if (application.isError) {
    return (
      <Failure
        title={t`Your details did not load`}
        error={application.error}
        onRetry={() => void application.refetch()}
      />
    );
  }
  if (application.isPending) {
    return <Skeleton role="status" aria-label={t`Loading…`} className="mt-5 h-[190px] rounded-card" />;
  }
  const { known, early, sent } = application.data;
  const waits = sent?.state === 'pending';
  const refused = sent?.state === 'refused' ? sent : null;
  const change = () => begin.mutate({}, { onSuccess: () => void go('register', { change: '1' }) });
  return (
    <section className="mt-5 grid gap-3" aria-label={t`Where commission goes`}>
      <h2 className="px-1 text-h2 font-semibold">{t`Where commission goes`}</h2>
      {early && !waits && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`You sell, but nobody knows where to pay you`}>
          {t`Send your details and your account. What you earn is kept until the shop has approved them.`}
        </Note>
      )}
      {waits && (
        <Note tone="brand" icon={<Clock aria-hidden />} title={t`Your new details wait for the shop`}>
          <Button variant="ghost" size="xs" onClick={() => void go('register', { change: '1' })}>
            {t`Look at them`}
          </Button>
        </Note>
      )}
      {refused && (
        <Note tone="bad" icon={<CircleAlert aria-hidden />} title={t`The shop has not approved your new details`}>
          {refused.lapsed ? t`Nobody answered within 30 days.` : `“${refused.reason}”`}
        </Note>
      )}
      {known && (
        <Card className="px-4 py-1">
          <Details of={known} />
        </Card>
      )}
      <FaultNote error={begin.error} />
      {!waits && (
        <Button variant={early ? 'default' : 'outline'} wide disabled={begin.isPending} onClick={change}>
          {refused ? t`Mend it` : early ? t`Send your details` : t`Change account or details`}
        </Button>
      )}
      <Leave />
    </section>
  );
}

/** Stops selling, after a second look. */
function Leave() {
  const { t } = useLingui();
  const client = useQueryClient();
  const keep = useKeepApplication();
  const [open, setOpen] = useState(false);
  const leave = useMutation({
    ...mutation('/api/agent/register/leave'),
    onSuccess: (application) => {
      keep(application);
      return client.invalidateQueries({ queryKey: profileKey });
    },
  });
  return (
    <>
      <Button variant="ghost" wide onClick={() => setOpen(true)}>
        {t`Stop selling for this shop`}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open && (
          <DialogContent
            title={t`Stop selling?`}
            description={t`Your links stop at once. What you have earned is still paid. You can apply again later.`}
            foot={
              <div className="grid gap-2">
                <Button wide disabled={leave.isPending} onClick={() => leave.mutate({})}>
                  {t`Stop selling`}
                </Button>
                <Button variant="ghost" wide onClick={() => setOpen(false)}>
                  {t`Go on selling`}
                </Button>
              </div>
            }
          >
            <FaultNote error={leave.error} />
          </DialogContent>
        )}
      </Dialog>
    </>
  );
}
