import type { Organisation } from '@wlv/client/boot';
import { session } from '@wlv/client/session';
import { type Answers, renderApp, serve, spa } from '@wlv/client/test-kit';
import { vi } from 'vitest';
import { messageCatalog } from '../messages.ts';
import { newRouter } from '../routes.tsx';

/** Who is signed in. */
export const ann = {
  displayName: 'Ann',
  firstname: 'Ann',
  lastname: '',
  emailaddress: '',
  mobilenumber: null as string | null,
  mobile_verified: false,
  gender: '',
  pictureUrl: '',
  referercode: 'ANN00001',
  agent: false,
};

/** Opens a page of the app, with these answers of the server. */
export async function renderPage(
  path: string,
  answers: Answers,
  { signedIn = true, org = spa as Organisation | null, line = {} } = {},
) {
  vi.stubGlobal('scrollTo', () => undefined);
  // jsdom has none of these.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  const server = serve({ '/api/user/profile/customer': () => ann, ...answers });
  if (signedIn) session.save('user', 'us_ann');
  session.enableVisitors(async () => 'wc_visitor');
  window.history.replaceState(null, '', path);
  await renderApp({ area: 'customer', org, line, messageCatalog, router: await newRouter(org ? 'shop' : 'platform') });
  return server;
}
