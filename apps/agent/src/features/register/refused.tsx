import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { BrandMark, useBrand } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { Camera, Check, CircleCheck, Pencil, Send } from 'lucide-react';
import { type Application, stepOf, useKeepApplication, wrongOf } from '../../application/application.ts';
import { OtherAccount, useBegin } from '../../application/intro.tsx';
import { Frame } from './frame.tsx';
import { OnePicture, useTakePicture } from './pictures-step.tsx';

/** The shop's words, and what alone is to be mended. What it did not name is not asked again. */
export function Refused({ application, onFill }: { application: Application; onFill: () => void }) {
  const { t } = useLingui();
  const brand = useBrand();
  const begin = useBegin();
  const keep = useKeepApplication();
  const take = useTakePicture();
  const send = useMutation({ ...mutation('/api/agent/register/send'), onSuccess: keep, onError: onFill });
  const { sent, draft } = application;
  const mend = draft?.mend ?? [];
  const pictures = mend.filter((field) => stepOf(field) === 'pictures');
  const only = mend.length === 1 ? pictures[0] : undefined;
  const kind = only === 'picture_idcard' ? 'idcard' : 'bank';
  const named = new Set(mend.map(stepOf));
  const fill = () => begin.mutate({}, { onSuccess: onFill });
  const passed = [
    !named.has('self') && t`About you`,
    !named.has('account') && t`Account and its name`,
    !mend.includes('picture_idcard') && t`Picture of the ID card`,
    !mend.includes('picture_bank') && t`Picture of the bank book`,
  ].filter((one) => one !== false);
  const count = mend.length;
  return (
    <Frame title={t`Agent`}>
      <div className="mt-3 text-center">
        <h2 className="text-h1 font-semibold">
          {sent?.lapsed
            ? t`Nobody has answered`
            : only
              ? t`One picture is left to mend`
              : count
                ? t`${count} things are left to mend`
                : t`The shop has not approved it`}
        </h2>
        <p className="mt-1 text-row text-quiet">
          {sent?.decided_at && t`${brand} answered ${dateTime(sent.decided_at)}`}
        </p>
      </div>
      <Card className="mt-5 grid gap-4 p-4">
        <div className="flex gap-3.5">
          <BrandMark size={36} />
          <div className="min-w-0">
            <p className="text-caption text-quiet">{t`The shop says`}</p>
            <p className="text-row">
              {sent?.lapsed
                ? t`The form was not looked at within 30 days. You can send it again as it is.`
                : `“${sent?.reason}”`}
            </p>
          </div>
        </div>
        {only && draft && (
          <>
            <OnePicture
              kind={kind}
              title={kind === 'bank' ? t`Page of the bank book` : t`ID card`}
              line=""
              icon={null}
              picture={draft.pictures[kind]}
              wrong={undefined}
              mend={sent?.pictures[kind] === draft.pictures[kind]}
              blurred={take.blurred === kind}
              onTake={() => take.ask(kind, 'camera')}
            />
            <ul className="grid gap-2.5 text-row text-muted-foreground">
              {[t`On a plain ground, with enough light`, t`All four corners, no shadow on the number`].map((tip) => (
                <li key={tip} className="flex items-center gap-3">
                  <Check aria-hidden className="size-[18px] text-brand-text" />
                  {tip}
                </li>
              ))}
            </ul>
          </>
        )}
      </Card>
      {count > 0 && passed.length > 0 && (
        <>
          <h2 className="px-1 pb-2 pt-6 text-row font-semibold">{t`Done, and not asked again`}</h2>
          <Card className="px-4 py-1">
            <ul className="divide-y">
              {passed.map((one) => (
                <li key={one} className="flex items-center gap-3.5 py-3.5 text-row">
                  <CircleCheck aria-hidden className="size-[22px] text-ok-text" />
                  {one}
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
      <FaultNote className="mt-4" error={take.error ?? begin.error} />
      <FaultNote className="mt-4" error={Object.keys(wrongOf(send.error)).length ? null : send.error} />
      {take.inputs}
      <div className="mt-6 grid gap-2">
        {only && draft?.pictures[kind] !== sent?.pictures[kind] ? (
          <Button wide disabled={send.isPending || take.busy} onClick={() => send.mutate({})}>
            <Send aria-hidden />
            {t`Send the form`}
          </Button>
        ) : only ? (
          <Button wide disabled={take.busy} onClick={() => take.ask(kind, 'camera')}>
            <Camera aria-hidden />
            {kind === 'bank' ? t`Photograph the bank book anew` : t`Photograph the ID card anew`}
          </Button>
        ) : (
          <Button wide disabled={begin.isPending} onClick={fill}>
            <Pencil aria-hidden />
            {sent?.lapsed ? t`Look at it and send it again` : t`Mend it`}
          </Button>
        )}
        {only && (
          <Button wide variant="ghost" disabled={begin.isPending} onClick={fill}>
            {t`Change something else`}
          </Button>
        )}
        <OtherAccount />
      </div>
    </Frame>
  );
}
