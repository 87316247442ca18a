import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { someId } from '@wlv/client/addresses';
import { adminCalls, adminModules } from '@wlv/client/modules.gen';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import type { AdminCall } from './access/admin-right.ts';
import { adminMenu } from './administration.ts';
import { newRouter } from './routes.tsx';
import { renderOffice } from './test/render-office.ts';

const letters = ['v', 'i', 'u', 'a'];
const modules = Object.keys(adminModules);
const router = newRouter();

/** The routes of the administration that ask for a right, with their calls. */
const routes = Object.entries(router.routesByPath).flatMap(([path, route]) => {
  const { call } = (route as { options: { staticData?: { call?: AdminCall } } }).options.staticData ?? {};
  return call ? [{ address: path.replace('$id', someId), call }] : [];
});

const signIn = (address: string, who: { role?: string; permission: Record<string, string> }) =>
  renderOffice(address, {
    signedIn: 'admin',
    org: null,
    who: { role: 'admin', ...who },
    otherwise: () => new Refusal(404, 'not_found'),
  });

/** Those who are tried: who has some letters of one module, and who has all but these. */
const kinds = modules.flatMap((module) =>
  ['v', 'iua'].flatMap((some) => [
    {
      name: `only ${some} of ${module}`,
      role: 'admin',
      has: (m: string, l: string) => m === module && some.includes(l),
    },
    {
      name: `all but ${some} of ${module}`,
      role: 'admin',
      has: (m: string, l: string) => m !== module || !some.includes(l),
    },
  ]),
);
kinds.push({ name: 'superadmin', role: 'superadmin', has: () => true });
kinds.push({ name: 'nothing', role: 'admin', has: () => false });

const permissionOf = ({ role, has }: (typeof kinds)[number]) =>
  role === 'superadmin'
    ? {}
    : Object.fromEntries(modules.map((module) => [module, letters.filter((letter) => has(module, letter)).join('')]));

it.each(kinds)('shows in the menu what the server answers: $name', async (kind) => {
  await signIn('/advwsadmin/nowhere', { role: kind.role, permission: permissionOf(kind) });
  const allowed = adminMenu.filter(({ to }) => {
    const { call } = router.routesByPath[to].options.staticData ?? {};
    const { module, letter } = adminCalls[call as AdminCall];
    return kind.has(module, letter);
  });
  const menu = await screen.findByRole('navigation', { name: 'Main menu' }, { timeout: 20_000 });
  expect(
    within(menu)
      .queryAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(allowed.map(({ to }) => to));
});

it.each(routes)(
  'opens $address to who may call $call, and to nobody else',
  async ({ address, call }) => {
    const { module, letter } = adminCalls[call];
    for (const kind of kinds) {
      if (!kind.name.endsWith(` of ${module}`)) continue;
      const { router: at } = await signIn(address, { role: kind.role, permission: permissionOf(kind) });
      await screen.findByRole('navigation', { name: 'Main menu' }, { timeout: 20_000 });
      if (kind.has(module, letter)) {
        await waitFor(() => expect(screen.getByRole('main').children.length).toBeGreaterThan(0));
        expect(at.state.location.pathname, kind.name).toBe(address);
      } else {
        await waitFor(() => expect(at.state.location.pathname, kind.name).not.toBe(address));
      }
      cleanup();
    }
  },
  60_000,
);

it('asks for no right that no letter of a module gives', () => {
  for (const { module, letter } of Object.values(adminCalls)) {
    expect(modules, `${module} ${letter}`).toContain(module);
    expect(adminModules[module as keyof typeof adminModules].letters).toContain(letter);
  }
});
