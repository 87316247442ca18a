import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const places = { '/api/user/get/service_point': () => ({ data: [] }) };
const receipt = { id: 'm1', at: '2026-11-25T07:00:00Z' };

async function write(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('Name'), 'Ann');
  await user.type(screen.getByLabelText('Phone'), '081 234 5678');
  await user.type(screen.getByLabelText('Subject'), 'A table');
  await user.type(screen.getByLabelText('Message'), 'For two, please');
}

for (const [whose, path, org] of [
  ['the platform', '/api/public/contact/send', null],
  ['the shop', '/api/user/contact/send', undefined],
] as const) {
  it(`sends a message to ${whose}, and says that it is there`, async () => {
    const user = userEvent.setup();
    const sent: unknown[] = [];
    const answers = {
      ...places,
      [path]: (body: unknown) => {
        sent.push(body);
        return receipt;
      },
    };
    await renderPage('/contact', answers, { signedIn: false, ...(org === null && { org }) });
    await user.click(await screen.findByRole('button', { name: 'Send' }));
    await screen.findByText('Enter your e-mail address or your phone number.');
    expect(sent).toEqual([]);
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByText('We have your message');
    expect(sent).toEqual([
      { name: 'Ann', email: '', phone: '081 234 5678', subject: 'A table', text: 'For two, please' },
    ]);
  });
}

it('keeps what was written when it is refused', async () => {
  const user = userEvent.setup();
  const refuse = () => new Refusal(429, 'rate.limited');
  await renderPage('/contact', { ...places, '/api/user/contact/send': refuse }, { signedIn: false });
  await write(user);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByRole('alert');
  expect((screen.getByLabelText('Message') as HTMLTextAreaElement).value).toBe('For two, please');
});
