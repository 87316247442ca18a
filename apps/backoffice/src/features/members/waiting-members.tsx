import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog } from '@wlv/ui/dialog';
import { baht, dateTime } from '@wlv/ui/format';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import type { Applicant } from './applicant.ts';
import { ApproveMember, RefuseMember } from './decide-member.tsx';
import { WholeMember } from './whole-member.tsx';

/** Applications that wait for an answer, the oldest first. */
export function WaitingMembers() {
  const { t } = useLingui();
  const { can } = usePerson();
  const waiting = useQuery({ ...query('/api/owner/memberlist/waiting', {}), enabled: can('memberlist', 'v') });
  const list = waiting.data?.data ?? [];
  if (!list.length) return null;
  return (
    <Card office className="mb-4 px-[18px] py-4">
      <h2 className="mb-1.5 text-base font-semibold">{t`Who waits for your answer`}</h2>
      <ul className="divide-y">
        {list.map((one) => (
          <Waiting key={one.id} one={one} />
        ))}
      </ul>
    </Card>
  );
}

function Waiting({ one }: { one: Applicant }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const [step, setStep] = useState<'approve' | 'refuse' | 'whole'>();
  const close = () => setStep(undefined);
  const { age, mobile_digits: mobile, identity_digits: identity } = one;
  const paid = baht(one.paid_satang);
  const kinds = { first: t`New`, renewal: t`Renewal`, upgrade: t`Higher level` };
  const doubts = [
    ...one.same.map(({ name, number }) => t`${name} (${number}) has the same`),
    ...(one.identity_right ? [] : [t`The last digit of the ID card does not fit`]),
  ];
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-2.5 py-3">
      <Avatar src={one.pictureUrl} size={36} />
      <div className="min-w-48 flex-1">
        <p className="font-medium">{one.name}</p>
        <p className="text-caption text-quiet">
          {[
            text(one, 'type_name'),
            kinds[one.kind],
            age === null ? '' : t`${age} years`,
            t`mobile ends in ${mobile}`,
            identity && t`ID card ends in ${identity}`,
            one.province,
            one.paid_satang > 0 && t`paid ${paid}`,
            dateTime(one.sent_at),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {doubts.map((doubt) => (
          <p key={doubt} className="flex items-center gap-1.5 text-caption text-bad-text">
            <CircleAlert aria-hidden className="size-4" />
            {doubt}
          </p>
        ))}
        {one.own && (
          <p className="text-caption text-quiet">{t`This is your own LINE account: somebody else has to approve it.`}</p>
        )}
      </div>
      {can('memberlist', 's') && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="office" variant="ghost" onClick={() => setStep('whole')}>
            {t`All of the form`}
          </Button>
          <Button size="office" variant="outline" disabled={one.own} onClick={() => setStep('refuse')}>
            {t`Do not approve`}
          </Button>
          <Button size="office" disabled={one.own} onClick={() => setStep('approve')}>
            {t`Approve`}
          </Button>
        </div>
      )}
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && close()}>
        {step === 'approve' && <ApproveMember one={one} onDone={close} />}
        {step === 'refuse' && <RefuseMember one={one} onDone={close} />}
        {step === 'whole' && <WholeMember one={one} />}
      </Dialog>
    </li>
  );
}
