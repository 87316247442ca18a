import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { browserPage } from './browser-page.ts';
import { createRouter } from './create-router.tsx';
import { Link, useHold, useLocation, useParams, useRouter, useSearch } from './router.tsx';
import { type Coming, matcher, once, type Route } from './routes.ts';
import { useComing } from './use-coming.ts';

const scrollTo = vi.fn();
beforeEach(() => {
  scrollTo.mockClear();
  vi.stubGlobal('scrollTo', scrollTo);
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function Item() {
  const { id } = useParams<'id'>();
  const { q } = useSearch<{ q: string }>();
  const { href } = useLocation();
  const [taps, setTaps] = useState(0);
  const { back } = useRouter();
  return (
    <>
      <h1>{`item ${id} ${q ?? ''}`}</h1>
      <p>{href}</p>
      <button type="button" onClick={() => setTaps(taps + 1)}>{`taps ${taps}`}</button>
      <button type="button" onClick={() => back('/list')}>
        back
      </button>
    </>
  );
}

function List() {
  return (
    <>
      <h1>list</h1>
      <Link to="/item/1" search={{ q: '98765432109876543210', none: undefined }}>
        first
      </Link>
      <Link to="/list">here</Link>
    </>
  );
}

function Form() {
  const [losing, setLosing] = useState(true);
  useHold(losing, () => window.confirm('leave?'));
  return (
    <>
      <h1>form</h1>
      <Link to="/list">away</Link>
      <button type="button" onClick={() => setLosing(false)}>
        save
      </button>
    </>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const [taps, setTaps] = useState(0);
  return (
    <main>
      <button type="button" onClick={() => setTaps(taps + 1)}>{`frame ${taps}`}</button>
      {children}
    </main>
  );
}

const at =
  (component: () => ReactNode): Coming =>
  async () =>
    component;
const frame = async () => Frame;

/** A screen whose script has not come yet. */
function slowly() {
  let come: () => void = () => undefined;
  const coming = new Promise<() => ReactNode>((resolve) => {
    come = () => resolve(() => <h1>slow</h1>);
  });
  return { slow: () => coming, come };
}

const defaultActions: Route[] = [
  { path: 'list', frame, screen: at(List) },
  { path: 'item/$id', frame, screen: at(Item) },
  { path: 'form', frame, screen: at(Form) },
];

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <button type="button" onClick={onRetry}>
      try again
    </button>
  );
}

/** Opens an address as one that was typed: nothing of the app is behind it. */
async function open(href: string, more: Route[] = []) {
  history.pushState(null, '', href);
  const router = createRouter([...more, ...defaultActions], Failed);
  render(<router.Pages />);
  await act(() => router.load());
  return router;
}

const heading = (name: string) => screen.findByRole('heading', { name });
const here = () => location.pathname + location.search + location.hash;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const follow = (name: string, keys = {}) => fireEvent.click(screen.getByRole('link', { name }), keys);

it.each([
  ['/list', 'list', {}],
  ['/LIST/', 'list', {}],
  ['/item/a%2Fb', 'item/$id', { id: 'a/b' }],
  ['/item/%E0%B8%99%E0%B8%A7%E0%B8%94', 'item/$id', { id: 'นวด' }],
  ['/item/%E0%A4%A', 'item/$id', { id: '%E0%A4%A' }],
  ['/item/a+b', 'item/$id', { id: 'a+b' }],
  ['/item', '$', {}],
  ['/home', 'home/$', {}],
  ['/home/cb/x', 'home/$', {}],
  ['/homely', '$', {}],
])('finds the route of %s', (pathname, path, params) => {
  const found = matcher([{ path: 'home/$' }, ...defaultActions, { path: '$' }])(pathname);
  expect([found.route.path, found.params]).toEqual([path, params]);
});

it('shows the page before until the script has loaded, in the same frame', async () => {
  const { slow, come } = slowly();
  const router = await open('/list', [{ path: 'slow', frame, screen: slow }]);
  press('frame 0');
  const gone = router.go('/slow');
  expect(here()).toBe('/slow');
  await heading('list');
  await act(async () => {
    come();
    await gone;
  });
  await heading('slow');
  screen.getByRole('button', { name: 'frame 1' });
});

it('shows the page that was wanted last, whichever loads first', async () => {
  const { slow, come } = slowly();
  const router = await open('/list', [{ path: 'slow', screen: slow }]);
  const gone = router.go('/slow');
  await act(() => router.go('/form'));
  await act(async () => {
    come();
    await gone;
  });
  await heading('form');
});

it('asks the guard first, and goes to its address instead of the page', async () => {
  const closed = vi.fn(at(Item));
  const before = async ({ href }: { href: string }) => `/item/1?q=${encodeURIComponent(href)}`;
  const router = await open('/list', [{ path: 'closed', screen: closed, before }]);
  const { length } = history;
  await act(() => router.go('/closed', { search: { q: 'a+b,ก' } }));
  await heading('item 1 /closed?q=a%2Bb%2C%E0%B8%81');
  expect(closed).not.toHaveBeenCalled();
  expect(history.length).toBe(length + 1);
});

it('follows a plain click on a link, and leaves other clicks to the browser', async () => {
  await open('/list');
  const link = screen.getByRole('link', { name: 'first' });
  expect(link.getAttribute('href')).toBe('/item/1?q=98765432109876543210');
  expect(screen.getByRole('link', { name: 'here' }).getAttribute('aria-current')).toBe('page');
  expect(link.getAttribute('aria-current')).toBeNull();
  // jsdom would go there, which it cannot.
  const stay = (event: Event) => event.preventDefault();
  addEventListener('click', stay);
  for (const keys of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }]) {
    follow('first', keys);
  }
  removeEventListener('click', stay);
  expect(here()).toBe('/list');
  follow('first');
  await heading('item 1 98765432109876543210');
  await screen.findByText('/item/1?q=98765432109876543210');
});

it('scrolls a new page to its top, an earlier one to where it was left, and none for a search', async () => {
  const router = await open('/list');
  expect(scrollTo).not.toHaveBeenCalled();
  vi.stubGlobal('scrollY', 700);
  await act(() => router.go('/item/1'));
  expect(scrollTo.mock.calls).toEqual([[0, 0]]);
  press('taps 0');

  await act(() => router.go('/item/1', { search: { q: 'x' } }));
  await heading('item 1 x');
  screen.getByRole('button', { name: 'taps 1' });
  expect(scrollTo).toHaveBeenCalledTimes(1);

  vi.stubGlobal('scrollY', 30);
  history.go(-2);
  await heading('list');
  expect(scrollTo.mock.calls.at(-1)).toEqual([0, 700]);
  history.go(2);
  await heading('item 1 x');
  expect(scrollTo.mock.calls.at(-1)).toEqual([0, 30]);
});

it('scrolls to the part that the address names', async () => {
  const seen: string[] = [];
  Element.prototype.scrollIntoView = function () {
    seen.push(this.id);
  };
  const parts = at(() => <h1 id="ส่วน">parts</h1>);
  const router = await open('/list', [{ path: 'parts', screen: parts }]);
  await act(() => router.go('/parts#%E0%B8%AA%E0%B9%88%E0%B8%A7%E0%B8%99'));
  expect([seen, scrollTo.mock.calls]).toEqual([['ส่วน'], []]);
  await act(() => router.go('/parts#%E0%A4%A'));
  expect(here()).toBe('/parts#%E0%A4%A');
});

it('goes back within the app, or to the given page from the first one', async () => {
  const router = await open('/item/1');
  press('back');
  await heading('list');
  await act(() => router.go('/item/2'));
  press('back');
  await heading('list');
});

it('asks before unsaved changes are left, by a link and by going back', async () => {
  const confirm = vi.spyOn(window, 'confirm').mockReturnValue(false);
  const router = await open('/list');
  await act(() => router.go('/form'));
  follow('away');
  history.back();
  await waitFor(() => expect(confirm).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(here()).toBe('/form'));
  await heading('form');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);

  confirm.mockReturnValue(true);
  history.back();
  await heading('list');
  await act(() => router.go('/form'));
  press('save');
  follow('away');
  await heading('list');
  expect(confirm).toHaveBeenCalledTimes(3);
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});

it('adds no step to the history for the address that is shown', async () => {
  const router = await open('/list');
  await act(() => router.go('/item/1', { search: { q: 'ก' } }));
  const { length } = history;
  await act(() => router.go('/item/1', { search: { q: 'ก' } }));
  expect(history.length).toBe(length);
});

it('goes to no other site', async () => {
  const router = await open('/list');
  for (const href of ['//evil.example/x', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
    expect(() => router.replace(href)).toThrow();
    await expect(router.go(href)).rejects.toThrow();
  }
  expect(here()).toBe('/list');
});

it('says without a connection that the page did not load, and tries again', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no connection');
  });
  let there = false;
  const load = once(async () => {
    if (!there) throw new TypeError('no connection');
    return () => <h1>there</h1>;
  });
  const router = await open('/list', [{ path: 'later', frame, screen: load }]);
  press('frame 0');
  await act(() => router.go('/later'));
  await act(async () => press('try again'));
  there = true;
  press('try again');
  await heading('there');
  screen.getByRole('button', { name: 'frame 1' });
});

it('reloads a page whose script is gone, once by itself and again by the button', async () => {
  const fetch = vi.fn(async () => new Response());
  const reload = vi.spyOn(browserPage, 'reload').mockReturnValue(new Promise(() => undefined));
  vi.stubGlobal('fetch', fetch);
  const broken = async () => {
    throw new TypeError('404');
  };
  const routes = [{ path: 'gone', screen: broken }];
  history.pushState(null, '', '/gone');

  void createRouter(routes, Failed).load();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(fetch).toHaveBeenCalledWith('/gone', { method: 'HEAD' });

  const router = createRouter(routes, Failed);
  render(<router.Pages />);
  fireEvent.click(await screen.findByRole('button', { name: 'try again' }));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});

it('shows the failure of a broken screen until another page is opened', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const broken = at(() => {
    throw new Error('broken');
  });
  const router = await open('/list', [{ path: 'broken', frame, screen: broken }]);
  await act(() => router.go('/broken'));
  screen.getByRole('button', { name: 'try again' });
  await act(() => router.go('/list'));
  await heading('list');
});

it('shows the failure of a broken frame, and tries again when the server answers', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const fetch = vi.fn(async () => new Response(null, { status: 500 }));
  vi.stubGlobal('fetch', fetch);
  let broken = true;
  const Fragile = ({ children }: { children: ReactNode }) => {
    if (broken) throw new Error('broken');
    return children;
  };
  const router = await open('/list', [{ path: 'framed', frame: async () => Fragile, screen: at(List) }]);
  await act(() => router.go('/framed'));
  broken = false;
  press('try again');
  await heading('list');
  expect(fetch).toHaveBeenCalledWith('/framed', { method: 'HEAD' });
});

it('loads a part that failed again at the next touch', async () => {
  let there = false;
  const load = once(async () => {
    if (!there) throw new TypeError('no connection');
    return () => <p>the part</p>;
  });
  const Page = () => {
    const Part = useComing(load, true);
    return Part ? <Part /> : <h1>without it</h1>;
  };
  await open('/parted', [{ path: 'parted', screen: at(Page) }]);
  await heading('without it');
  there = true;
  fireEvent.pointerDown(document.body);
  await screen.findByText('the part');
});
