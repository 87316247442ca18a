import { i18n } from '@lingui/core';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  type Address,
  adminAddresses,
  callbacks,
  officeAddresses,
  officeNames,
  officePages,
  someId,
  staffAddresses,
} from '@wlv/client/addresses';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { menu } from './navigation.ts';
import { newRouter } from './routes.tsx';
import { renderOffice } from './test/render-office.ts';

/** A server that has nothing: each screen stands there, and says that its list did not load. */
const otherwise = () => new Refusal(404, 'not_found');

/** Goes to each address in one window, and says which of them ended elsewhere than they should. */
async function walk({ router }: Awaited<ReturnType<typeof renderOffice>>, addresses: Address[]) {
  const lost: string[] = [];
  for (const { address, ends } of addresses) {
    router.history.push(address);
    const pathname = () => router.state.location.pathname;
    await waitFor(() => expect(pathname()).toBe(ends), { timeout: 4_000, interval: 5 }).catch(() =>
      lost.push(`${address} ends on ${pathname()}, not on ${ends}`),
    );
  }
  return lost;
}

/** The screens that the specification does not name. */
const ours = menu
  .flatMap((group) => group.screens)
  .filter(({ path }) => !officeNames.some((one) => one.screen === path))
  .map(({ path, single = false, title }) => ({
    name: path.replace(/list$/, ''),
    screen: path,
    records: !single,
    adds: !single,
    title,
  }));

/** Only the screen knows that it can add nothing. */
const nothingToAdd = officeNames
  .filter(({ records, adds }) => records && !adds)
  .flatMap(officeAddresses)
  .filter(({ address }) => address.endsWith('add'));

it('leads every name of the owner’s office to its screen, or to main where it has none', async () => {
  localStorage.setItem('token:owner', 'a token');
  for (const { address, ends } of [...officePages, ...[...officeNames, ...ours].flatMap(officeAddresses)]) {
    if (nothingToAdd.some((one) => one.address === address)) continue;
    const router = newRouter(createMemoryHistory({ initialEntries: [address] }));
    await router.load();
    expect(router.state.location.pathname, address).toBe(ends);
  }
}, 60_000);

/** Each screen of the office once, under the first of its names. */
function headings() {
  const named = [...officeNames, ...ours.map((one) => ({ ...one, heading: i18n._(one.title) }))];
  return named.filter(
    ({ screen, heading }, i) => heading && named.findIndex((one) => one.heading && one.screen === screen) === i,
  );
}

const parts = 4; // they are many screens for one test
it.each(Array.from({ length: parts }, (_, part) => part))(
  'shows under each name its heading, part %i',
  async (part) => {
    const answers = {
      '/api/owner/get/permission': () => ({ data: [], next: null, total: 0 }),
      '/api/owner/setting/product/get': () => ({ slug: 'voucher', word_th: 'เวาเชอร์', word_en: 'voucher' }),
    };
    const office = await renderOffice('/owner', { answers, otherwise });
    const all = headings();
    expect(all.length).toBeGreaterThan(40);
    for (const { name, heading = '' } of all.filter((_, i) => i % parts === part)) {
      office.router.history.push(`/owner/${name}`);
      await screen.findByRole('heading', { level: 1, name: heading }, { timeout: 20_000 });
    }
  },
  60_000,
);

it('leads an address with another word for what is sold to the one that the organisation has', async () => {
  const answers = { '/api/owner/setting/product/get': () => ({ slug: 'ticket', word_th: 'บัตร', word_en: 'ticket' }) };
  const { router } = await renderOffice('/owner/agentvouchercommissiontransaction?from=2026-11-01', {
    answers,
    otherwise,
  });
  await screen.findByRole('heading', { level: 1, name: 'Commission by ticket' }, { timeout: 20_000 });
  await waitFor(() =>
    expect(router.state.location.href).toBe('/owner/agentticketcommissiontransaction?from=2026-11-01'),
  );
}, 60_000);

it('has each screen once', () => {
  const paths = menu.flatMap((group) => group.screens).map(({ path }) => path);
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([]);
});

it('opens the record that an edit address names, and keeps the query of the list', async () => {
  const { router } = await renderOffice(`/owner/staffedit?id=${someId}&q=ann`, { otherwise });
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(router.state.location.href).toBe(`/owner/stafflist/${someId}?q=ann`);
});

it('leads an address to add to the list where nothing can be added', async () => {
  const inbox = { waiting: [], asked: [], answered: [], rules: { refund_above_satang: null } };
  const next = {
    up_to: '2026-11-19',
    pay_day: null,
    payees: 0,
    payable_satang: 0,
    year_paid_satang: 0,
    year_withheld_satang: 0,
    draft_id: null,
  };
  const answers = { '/api/owner/approval/inbox': () => inbox, '/api/owner/payoutrun/next': () => next };
  const office = await renderOffice('/owner/settingtag', { answers });
  expect(await walk(office, nothingToAdd)).toEqual([]);
});

it('leads an address to add to the list without the right to add', async () => {
  const { router } = await renderOffice('/owner/packageadd', {
    who: { role: 'user', permission: { salepackage: 'v' } },
  });
  await screen.findByRole('heading', { name: 'Packages' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/packagelist'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('asks for the name of a new set of rights, and goes back to the sets', async () => {
  const user = userEvent.setup();
  const { router } = await renderOffice('/owner/permissionadd');
  await screen.findByRole('dialog', { name: 'Make a set' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/permissionlist'));
});

it('leads from a screen without its right to main', async () => {
  const { router } = await renderOffice('/owner/packagelist', {
    who: { role: 'user', permission: { tags: 'v', dashboard: 'v' } },
  });
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/main'));
});

it('offers a change of password only to an account that signs in by one', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/main', { otherwise });
  await user.click(await screen.findByRole('button', { name: 'Nat, menu' }));
  await screen.findByRole('menuitem', { name: 'Change password' });
  cleanup();

  const byLine = await renderOffice('/owner/changepassword', { otherwise, who: { type: 'line' } });
  await waitFor(() => expect(byLine.router.state.location.pathname).toBe('/owner/main'));
  await user.click(await screen.findByRole('button', { name: 'Nat, menu' }));
  await screen.findByRole('menuitem', { name: 'Sign out' });
  expect(screen.queryByRole('menuitem', { name: 'Change password' })).toBeNull();
});

it('offers a change of password to staff who sign in by one, at the counter', async () => {
  const byLine = await renderOffice('/staff/changepassword', { signedIn: 'staff', otherwise, who: { type: 'line' } });
  await waitFor(() => expect(byLine.router.state.location.pathname).toBe('/staff/scanqrcode'));
  cleanup();

  const user = userEvent.setup();
  const { calls, router } = await renderOffice('/staff/changepassword', {
    signedIn: 'staff',
    answers: { '/api/staff/password/change': () => ({}) },
  });
  await user.type(await screen.findByLabelText('Present password'), 'old1');
  await user.type(screen.getByLabelText('New password'), 'new12');
  await user.type(screen.getByLabelText('The new one again'), 'new12');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/staff/loginpage'));
  expect(calls('/api/staff/password/change')[0]?.body).toEqual({ old_password: 'old1', password: 'new12' });
});

it('offers no change of password in the administration', async () => {
  const user = userEvent.setup();
  await renderOffice('/advwsadmin', { signedIn: 'admin', org: null, otherwise });
  await user.click(await screen.findByRole('button', { name: 'Nat, menu' }));
  await screen.findByRole('menuitem', { name: 'Sign out' });
  expect(screen.queryByRole('menuitem', { name: 'Change password' })).toBeNull();
});

it('leads each of the staff’s addresses to its screen', async () => {
  const office = await renderOffice('/staff', { signedIn: 'staff' });
  expect(await walk(office, staffAddresses)).toEqual([]);
});

it('leads each of the administration’s addresses to its screen', async () => {
  const office = await renderOffice('/advwsadmin', {
    signedIn: 'admin',
    org: null,
    otherwise,
    answers: { '/api/admin/plan/list': () => ({ data: [], modules: [] }) },
  });
  await screen.findByRole('heading', { name: 'Overview' }, { timeout: 20_000 });
  expect(await walk(office, adminAddresses)).toEqual([]);
}, 60_000);

it('sends an admin without the right to the entry, which says so', async () => {
  const { router, calls } = await renderOffice(`/advwsadmin/organize_edit/${someId}`, {
    signedIn: 'admin',
    org: null,
    who: { role: 'admin', permission: {} },
  });
  await screen.findByText('Nothing to see with this account yet');
  expect(router.state.location.pathname).toBe('/advwsadmin');
  expect(calls('/api/admin/organize/detail')).toHaveLength(0);
});

it.each(['/owner', '/staff', '/advwsadmin'])('says at the entry of %s that the person has signed out', async (base) => {
  const { router } = await renderOffice(`${base}?reason=out`, { signedIn: null });
  await screen.findByText('You have signed out.');
  expect(router.state.location.href).toBe(`${base}/loginpage?reason=out`);
});

it.each(callbacks.filter((path) => /advwsadmin|owner|staff|register/.test(path)))(
  'shows the sign-in at %s, where LINE comes back',
  async (address) => {
    const { router } = await renderOffice(address, { signedIn: null });
    await screen.findByText('You are not signed in yet');
    expect(router.state.location.pathname).toBe(address);
  },
);
