import { useEffect, useState } from 'react';
import { stepAt } from '../../live/step.ts';
import { codeText, typedText } from './code.ts';
import type { UseSession } from './use-session.ts';

/** The QR's text of this moment, and what is typed instead; computed once per step. `now` is the server's time in milliseconds. */
export function useCode(session: UseSession, now: number) {
  const step = stepAt(now);
  const [code, setCode] = useState<{ qr: string; typed: string | undefined }>();

  useEffect(() => {
    let current = true;
    const input = { session: session.id, secret: session.secret, organisation: session.organisation_tag };
    void Promise.all([
      codeText(input, step),
      session.typed_name ? typedText(session.typed_name, input, step) : undefined,
    ]).then(([qr, typed]) => {
      if (current) setCode({ qr, typed });
    });
    return () => {
      current = false;
    };
  }, [session.id, session.secret, session.organisation_tag, session.typed_name, step]);

  return code;
}
