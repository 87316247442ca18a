import { useEffect, useState } from 'react';

/** The time in milliseconds, anew each second while the page is seen; `ahead` is how far the server's clock is ahead of this one. */
export function useNow(ahead = 0) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + ahead;
}
