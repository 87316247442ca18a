/**
 * The page as the browser has it: `open` goes to an address that the router does not have; `reload` fetches the page anew, and its
 * promise never settles. An object, because nothing can be put in the place of a window's location, and so a test spies on these.
 */
export const browserPage = {
  open: (url: string) => location.assign(url),
  reload: () => {
    location.reload();
    return new Promise<never>(() => undefined);
  },
};
