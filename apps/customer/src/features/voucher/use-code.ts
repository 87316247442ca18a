import { useEffect, useState } from 'react';
import { codeText, slotAt } from './code.ts';
import type { UseSession } from './use-session.ts';

/** The QR's text of this moment; computed once per slot. `now` is the server's time in milliseconds. */
export function useCode(session: UseSession, now: number) {
  const slot = slotAt(now);
  const [code, setCode] = useState<string>();

  useEffect(() => {
    let current = true;
    void codeText({ session: session.id, secret: session.secret, organisation: session.organisation_tag }, slot).then(
      (text) => {
        if (current) setCode(text);
      },
    );
    return () => {
      current = false;
    };
  }, [session.id, session.secret, session.organisation_tag, slot]);

  return code;
}
