import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Language } from '@wlv/client/boot';
import { call, query, upload } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useBrand, useTexts } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { FormError } from '@wlv/ui/field';
import { IconButton } from '@wlv/ui/icon-button';
import { BookOpenText, Camera, CircleAlert, CircleCheck, IdCard, Image, Lock, Send } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { type Filling, type Form, useKeepApplication, useSentence, type Wrong } from '../../application/application.ts';
import { CoverReligion } from './cover-religion.tsx';
import { type Cover, isSharp, preparePicture } from './prepare-picture.ts';
import { usePrivatePicture } from './private-picture.ts';

export type Kind = 'idcard' | 'bank';

/** Chooses a picture, marks it with the shop's name, covers a religion on a card, and sends it. */
export function useTakePicture() {
  const { t } = useLingui();
  const brand = useBrand();
  const keep = useKeepApplication();
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const kind = useRef<Kind>('idcard');
  const [blurred, setBlurred] = useState<Kind>();
  const [card, setCard] = useState<File>();
  const send = useMutation({
    mutationFn: async ({ of, file, cover }: { of: Kind; file: File; cover: Cover | null }) => {
      setBlurred((await isSharp(file)) ? undefined : of);
      const form = new FormData();
      form.append('kind', of);
      form.append('images', await preparePicture(file, t`To apply at ${brand}`, cover), 'picture.jpg');
      return upload('/api/agent/register/picture', form);
    },
    onSuccess: (application) => {
      keep(application);
      setCard(undefined);
    },
  });
  const chosen = (list: FileList | null) => {
    const file = list?.[0];
    if (!file) return;
    if (kind.current === 'idcard') setCard(file);
    else send.mutate({ of: kind.current, file, cover: null });
  };
  const ask = (of: Kind, from: 'camera' | 'files') => {
    kind.current = of;
    (from === 'camera' ? camera : files).current?.click();
  };
  const inputs = (
    <>
      {(['camera', 'files'] as const).map((from) => (
        <input
          key={from}
          ref={from === 'camera' ? camera : files}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          {...(from === 'camera' ? { capture: 'environment' as const } : {})}
          aria-hidden
          tabIndex={-1}
          data-from={from}
          className="hidden"
          onChange={(event) => {
            chosen(event.target.files);
            event.target.value = '';
          }}
        />
      ))}
      <Dialog open={card !== undefined} onOpenChange={(open) => !open && setCard(undefined)}>
        {card && (
          <CoverReligion
            file={card}
            busy={send.isPending}
            error={send.error}
            onUse={(cover) => send.mutate({ of: 'idcard', file: card, cover })}
          />
        )}
      </Dialog>
    </>
  );
  return { ask, inputs, busy: send.isPending, error: card ? null : send.error, blurred };
}

/** Two pictures, and the texts for agents. */
export function PicturesStep({
  draft,
  form,
  wrong,
  onSend,
}: {
  draft: Filling;
  form: Form;
  wrong: Wrong;
  onSend: () => void;
}) {
  const { t } = useLingui();
  const { ask, inputs, busy, error, blurred } = useTakePicture();
  const texts = useAgree();
  const { idcard, bank } = draft.pictures;
  const missing: Kind | undefined = idcard ? (bank ? undefined : 'bank') : 'idcard';
  const onward = async () => {
    if (await texts.agree()) onSend();
  };
  return (
    <>
      <OnePicture
        kind="idcard"
        title={form.kind === 'company' ? t`ID card of who acts` : t`ID card`}
        line={t`Name, number and photo all readable`}
        icon={<IdCard aria-hidden />}
        picture={idcard}
        wrong={wrong.picture_idcard}
        mend={draft.mend.includes('picture_idcard')}
        blurred={blurred === 'idcard'}
        onTake={() => ask('idcard', 'camera')}
      />
      <OnePicture
        kind="bank"
        title={t`Page of the bank book`}
        line={t`Name and number of the account all readable`}
        icon={<BookOpenText aria-hidden />}
        picture={bank}
        wrong={wrong.picture_bank}
        mend={draft.mend.includes('picture_bank')}
        blurred={blurred === 'bank'}
        onTake={() => ask('bank', 'camera')}
      />
      <p className="-mt-3 flex items-start gap-2 text-caption text-quiet">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t`Marked with the shop's name before it leaves your phone, and kept encrypted`}
      </p>
      <texts.List />
      <FaultNote error={error} />
      {inputs}
      <ActionFoot className="flex gap-2.5">
        {missing ? (
          <>
            <IconButton
              variant="outline"
              size="lg"
              label={t`Choose a picture that is there`}
              disabled={busy}
              onClick={() => ask(missing, 'files')}
            >
              <Image aria-hidden />
            </IconButton>
            <Button wide disabled={busy} onClick={() => ask(missing, 'camera')}>
              <Camera aria-hidden />
              {missing === 'bank' ? t`Photograph the bank book` : t`Photograph the ID card`}
            </Button>
          </>
        ) : (
          <Button wide disabled={busy || !texts.all || texts.busy} onClick={() => void onward()}>
            <Send aria-hidden />
            {draft.mobile_verified ? t`Send the form` : t`Send a code to your number`}
          </Button>
        )}
      </ActionFoot>
    </>
  );
}

export function OnePicture({
  title,
  line,
  icon,
  picture,
  wrong,
  mend,
  blurred,
  onTake,
}: {
  kind: Kind;
  title: string;
  line: string;
  icon: ReactNode;
  picture: string | null;
  wrong: Wrong[string];
  mend: boolean;
  blurred: boolean;
  onTake: () => void;
}) {
  const { t } = useLingui();
  const sentence = useSentence();
  const { address, failed } = usePrivatePicture(picture);
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-row font-medium">{title}</h2>
        {picture ? (
          blurred || mend ? (
            <span className="flex items-center gap-1.5 text-sm text-bad-text">
              <CircleAlert aria-hidden className="size-4" />
              {blurred ? t`Not sharp` : t`To be taken anew`}
            </span>
          ) : (
            <span className="flex items-center gap-1.5 text-sm text-ok-text">
              <CircleCheck aria-hidden className="size-4" />
              {t`It is there`}
            </span>
          )
        ) : (
          <span className="text-sm text-quiet">{t`Not there yet`}</span>
        )}
      </div>
      {picture ? (
        <div className="relative aspect-[2.08] overflow-hidden rounded-card bg-muted">
          {address && <img src={address} alt={title} className="size-full object-cover" />}
          {failed && <p className="p-4 text-sm text-quiet">{t`The picture did not load`}</p>}
          <Button variant="outline" size="md" className="absolute bottom-2.5 right-2.5" onClick={onTake}>
            <Camera aria-hidden />
            {t`Take it anew`}
          </Button>
        </div>
      ) : (
        <button
          type="button"
          onClick={onTake}
          className="grid min-h-[136px] place-content-center justify-items-center gap-1.5 rounded-card border-2 border-dashed border-input p-4 text-center [&_svg]:size-8 [&_svg]:text-brand-text"
        >
          {icon}
          <span className="text-row font-medium">{line}</span>
          <span className="text-caption text-quiet">{t`JPG or PNG, at most 8 MB`}</span>
        </button>
      )}
      {wrong && <FormError>{sentence(wrong)}</FormError>}
    </div>
  );
}

/** What agents agree to, each with its words; agreed to at once before the form goes on. */
function useAgree() {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const open = useQuery(query('/api/agent/consent/open', {}));
  const texts = open.data?.data ?? [];
  const [ticked, setTicked] = useState<string[]>([]);
  const accept = useMutation({
    mutationFn: () => call('/api/agent/consent/accept', { version_ids: ticked, lang: i18n.locale as Language }),
    onSettled: () => client.invalidateQueries({ queryKey: ['/api/agent/consent/open'] }),
  });
  const all = texts.every(({ _id }) => ticked.includes(_id));
  const agree = async () => {
    if (!texts.length) return true;
    try {
      await accept.mutateAsync();
      return true;
    } catch {
      return false; // the note says why
    }
  };
  const List = () => (
    <TextList
      texts={texts}
      ticked={ticked}
      error={open.error ?? accept.error}
      onTick={(id, on) => setTicked((now) => (on ? [...now, id] : now.filter((one) => one !== id)))}
    />
  );
  return { List, all: open.isSuccess && all, agree, busy: accept.isPending };
}

function TextList({
  texts,
  ticked,
  error,
  onTick,
}: {
  texts: { _id: string; kind: 'pdpa' | 'terms'; name_th: string; name_en: string; body_th: string; body_en: string }[];
  ticked: string[];
  error: unknown;
  onTick: (id: string, on: boolean) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const [read, setRead] = useState<string>();
  const reading = texts.find(({ _id }) => _id === read);
  return (
    <>
      <ul className="grid gap-1">
        {texts.map((one) => {
          const name = text(one, 'name');
          return (
            <li key={one._id} className="flex min-h-12 items-center gap-3 px-1">
              <Checkbox
                id={one._id}
                checked={ticked.includes(one._id)}
                onCheckedChange={(on) => onTick(one._id, on === true)}
              />
              <label htmlFor={one._id} className="min-w-0 flex-1 text-row">
                {one.kind === 'terms' ? t`I accept: ${name}` : t`I agree to: ${name}`}
              </label>
              <Button variant="ghost" size="xs" aria-label={t`Read ${name}`} onClick={() => setRead(one._id)}>
                {t`Read`}
              </Button>
            </li>
          );
        })}
      </ul>
      <FaultNote error={error} />
      <Dialog open={Boolean(reading)} onOpenChange={(isOpen) => !isOpen && setRead(undefined)}>
        {reading && (
          <DialogContent title={text(reading, 'name')}>
            <p className="whitespace-pre-line text-row">{text(reading, 'body')}</p>
          </DialogContent>
        )}
      </Dialog>
    </>
  );
}
