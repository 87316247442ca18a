import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { type Cover, coverSize } from './prepare-picture.ts';

/** About where a card of Thailand says it. */
const usual: Cover = { x: 0.5, y: 0.55 };

const reach = 0.02;

/** A bar over the line of a card that says a religion, which the shop may not keep. It is moved by a tap, or by the arrow keys. */
export function CoverReligion({
  file,
  busy,
  error,
  onUse,
}: {
  file: File;
  busy: boolean;
  error: unknown;
  onUse: (cover: Cover | null) => void;
}) {
  const { t } = useLingui();
  const [cover, setCover] = useState<Cover>(usual);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const within = (part: number) => Math.min(1, Math.max(0, part));
  const onKey = (event: KeyboardEvent) => {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-reach, 0],
      ArrowRight: [reach, 0],
      ArrowUp: [0, -reach],
      ArrowDown: [0, reach],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    setCover(({ x, y }) => ({ x: within(x + move[0]), y: within(y + move[1]) }));
  };
  return (
    <DialogContent
      title={t`Cover the religion`}
      description={t`Tap the line that says it: a bar goes there. The shop may not keep it.`}
      foot={
        <div className="grid gap-2">
          <Button wide disabled={busy} onClick={() => onUse(cover)}>
            {busy ? t`Sending the picture…` : t`Use the picture`}
          </Button>
          <Button variant="ghost" wide disabled={busy} onClick={() => onUse(null)}>
            {t`My card says none`}
          </Button>
        </div>
      }
    >
      <button
        type="button"
        aria-label={t`Place the bar`}
        className="relative block w-full overflow-hidden rounded-card"
        onKeyDown={onKey}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          if (!event.detail) return; // by the keyboard
          setCover({
            x: within((event.clientX - box.left) / box.width),
            y: within((event.clientY - box.top) / box.height),
          });
        }}
      >
        {address && <img src={address} alt="" className="block w-full" />}
        <span
          className="absolute bg-[#26323b]"
          style={{
            width: `${coverSize.width * 100}%`,
            height: `${coverSize.height * 100}%`,
            left: `${(cover.x - coverSize.width / 2) * 100}%`,
            top: `${(cover.y - coverSize.height / 2) * 100}%`,
          }}
        />
      </button>
      <FaultNote error={error} />
    </DialogContent>
  );
}
