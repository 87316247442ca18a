import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const phone = vi.hoisted(() => ({ scan: null as null | (() => Promise<string | null>), read: null as string | null }));
vi.mock('@wlv/client/device', () => ({ device: async () => phone }));
vi.mock('@wlv/client/qr-reader', () => ({ newReader: async () => async () => phone.read }));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  phone.scan = null;
});

const ref = 'Ab3_xYz-0123456789abcd';
const open = () =>
  renderPage('/user/scanqrcodegift', {
    '/api/user/transfer/open': () => new Refusal(404, 'gift.not_found'),
    '/api/user/consent/open': () => ({ data: [] }),
  });
const atTheGift = () =>
  waitFor(() => expect(location.pathname + location.search).toBe(`/user/transferdata?ref=${ref}`));

it('opens a gift whose link is pasted, and says of anything else that it is none', async () => {
  const user = userEvent.setup();
  await open();
  const field = await screen.findByLabelText('Or paste the link of the gift');
  await screen.findByText('No camera here');
  await user.type(field, 'https://evil.example/user/market?ref=AGENT');
  await user.click(screen.getByRole('button', { name: 'Open the gift' }));
  await screen.findByText('This is not a gift');
  await user.clear(field);
  await user.type(field, `https://evil.example/transfer?ref=${ref}`);
  await user.click(screen.getByRole('button', { name: 'Open the gift' }));
  await atTheGift();
});

it("opens LINE's scanner at once where there is one, and again when it was closed", async () => {
  const user = userEvent.setup();
  const answers = [null, `https://liff.line.me/1657000001-welovesu/transferdata?ref=${ref}`];
  const scan = vi.fn(async () => answers.shift() ?? null);
  phone.scan = scan;
  await open();
  await waitFor(() => expect(scan).toHaveBeenCalledTimes(1));
  await user.click(await screen.findByRole('button', { name: "Open LINE's scanner" }));
  await atTheGift();
});

it('reads a picture, and says where it finds nothing', async () => {
  const user = userEvent.setup();
  vi.stubGlobal('createImageBitmap', async () => ({ close: () => undefined }));
  await open();
  const picture = await screen.findByLabelText('Picture with a QR');
  phone.read = null;
  await user.upload(picture, new File(['x'], 'a.png', { type: 'image/png' }));
  await screen.findByText('No QR was found in this picture');
  phone.read = `https://lamai.example/transfer?ref=${ref}`;
  await user.upload(picture, new File(['x'], 'b.png', { type: 'image/png' }));
  await atTheGift();
});
