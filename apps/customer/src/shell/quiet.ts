import { useEffect, useState } from 'react';

/** True once the page has loaded what is seen first: what can wait does not take the picture's place on the line. */
export function useQuiet() {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => {
    if (document.readyState === 'complete') return setQuiet(true);
    const settle = () => setTimeout(() => setQuiet(true), 500);
    window.addEventListener('load', settle, { once: true });
    return () => window.removeEventListener('load', settle);
  }, []);
  return quiet;
}
