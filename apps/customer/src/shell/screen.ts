import { loadMoreMessages } from '@wlv/client/language';
import { once } from '@wlv/client/routes';
import { messageCatalog } from '../messages.ts';

/** A component that comes when it is gone to. */
export function screen<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return once(async () => (await load())[name]);
}

/** So does this, with the sentences of all such screens. */
export function page<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return once(async () => {
    const [module] = await Promise.all([load(), loadMoreMessages(messageCatalog)]);
    return module[name];
  });
}
