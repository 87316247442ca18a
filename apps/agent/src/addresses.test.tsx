import { cleanup, waitFor } from '@testing-library/react';
import { agentAddresses } from '@wlv/client/addresses';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from './test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each(agentAddresses)('leads an agent from $address to $ends', async ({ address, ends }) => {
  await renderPage(address);
  await waitFor(() => expect(location.pathname).toBe(ends), { interval: 5 });
});

it('sends a visitor from each page to the home', async () => {
  for (const { address } of agentAddresses) {
    await renderPage(address, {}, { signedIn: false });
    await waitFor(() => expect(location.pathname).toMatch(/\/home$/), { interval: 5 });
    cleanup();
  }
});

it('shows the sign-in where LINE comes back', async () => {
  await renderPage('/logincallback/weloveagent/from/line', {}, { signedIn: false });
  await waitFor(() => expect(document.title).toContain('Sign in'));
});
