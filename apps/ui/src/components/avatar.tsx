import { clsx } from 'clsx';
import { User } from 'lucide-react';
import { useState } from 'react';

/** A person's picture, round; a figure where there is none, or where it does not come: LINE's pictures end with a person's account. */
export function Avatar({
  src,
  size = 28,
  className,
}: {
  src: string | null | undefined;
  size?: number;
  className?: string;
}) {
  const [missing, setMissing] = useState<string>();
  const box = { width: size, height: size };
  if (!src || src === missing) {
    return (
      <span
        data-slot="avatar"
        style={box}
        className={clsx('grid shrink-0 place-items-center rounded-full bg-accent text-accent-foreground', className)}
      >
        <User aria-hidden style={{ width: size * 0.6, height: size * 0.6 }} />
      </span>
    );
  }
  return (
    <img
      data-slot="avatar"
      src={src}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setMissing(src)}
      className={clsx('shrink-0 rounded-full bg-accent object-cover', className)}
    />
  );
}
