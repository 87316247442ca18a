import { createContext, use } from 'react';

/** How an app's own router goes to an address in place of the one that is shown. */
export const Replace = createContext<(href: string) => void>(() => {
  throw new Error('useReplace stands outside of App');
});

export const useReplace = () => use(Replace);
