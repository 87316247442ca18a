import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { type ComponentType, useEffect } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

// A picture has no size here, so nothing can be dragged: the middle of it is chosen.
const middle = { x: 100, y: 0, width: 800, height: 800 };
vi.mock('react-easy-crop', (): { default: ComponentType<{ onCropComplete: (...crop: object[]) => void }> } => ({
  default: ({ onCropComplete }) => {
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, as when a picture has been read
    useEffect(() => onCropComplete({}, middle), []);
    return null;
  },
}));

const drawn = vi.fn();
beforeEach(() => {
  drawn.mockReset();
  vi.stubGlobal('createImageBitmap', async (file: File) => {
    if ((await file.text()) !== 'a picture') throw new DOMException('not decoded', 'InvalidStateError');
    return { close() {} };
  });
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  HTMLCanvasElement.prototype.getContext = vi.fn(() => ({ drawImage: drawn }) as never);
  HTMLCanvasElement.prototype.toDataURL = (type) => `data:${type};base64,bG9nbw==`;
});

const save = '/api/admin/organize/save';
const picture = new File(['a picture'], 'logo.png', { type: 'image/png' });

const open = (answers: Answers = {}) =>
  renderOffice('/advwsadmin/organize_add', {
    signedIn: 'admin',
    org: null,
    who: { audience: 'admin' },
    answers: {
      '/api/admin/organize/options': () => ({ platform_account: true }),
      '/api/admin/plan/list': () => ({
        data: [{ id: 'p1', name_th: 'เติบโต', name_en: 'Growth', modules: [], fee_basis_points: 250, active: true }],
      }),
      // The page that follows.
      '/api/admin/organize/detail': () => ({
        id: 'o1',
        name_th: 'ร้าน',
        name_en: 'Shop',
        plan_id: 'p1',
        liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
        state: 'provisioning',
        url: '',
        unique: 'shop',
        background_color_primary: '#061c33',
        background_color_secondary: '#d3ae55',
        steps: [],
      }),
      ...answers,
    },
  });

const next = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Next' }));
const logoFile = () => screen.findByLabelText('Logo', { selector: 'input' });

/** Goes on from the first step, where everything is typed, to the colours and the logo. */
async function goToLook(user: UserEvent) {
  await next(user);
  await user.click(await screen.findByRole('radio', { name: /Growth/ }));
  await next(user);
  await screen.findByLabelText('Channel ID');
  await next(user);
  await screen.findByLabelText('Public key');
  await next(user);
  return logoFile();
}

async function typeNames(user: UserEvent) {
  await user.type(await screen.findByLabelText('Name in Thai'), 'ร้าน');
  await user.type(screen.getByLabelText('Name in English'), 'Shop');
  await user.type(screen.getByLabelText('Short name'), 'shop');
}

async function chooseLogo(user: UserEvent, input: HTMLElement) {
  await user.upload(input, picture);
  await user.click(await screen.findByRole('button', { name: 'Use this part' }));
  await screen.findByRole('button', { name: 'Remove the logo' });
}

async function sendWithOwner(user: UserEvent) {
  await next(user);
  await user.type(await screen.findByLabelText('Name'), 'Nat');
  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('First password'), 'nat2026');
  await user.click(screen.getByRole('button', { name: 'Open the organisation' }));
}

it('sends the logo as base64 with the opening, cut to its square', async () => {
  const user = userEvent.setup();
  const { calls, router } = await open({ [save]: () => ({ id: 'o1' }) });
  await typeNames(user);
  await chooseLogo(user, await goToLook(user));
  expect(drawn).toHaveBeenCalledWith(expect.anything(), 100, 0, 800, 800, 0, 0, 512, 512);
  await sendWithOwner(user);
  await waitFor(() => expect(router.state.location.pathname).toBe('/advwsadmin/organize_edit/o1'));
  expect(calls(save)[0]?.body).toMatchObject({ unique: 'shop', logo: 'bG9nbw==' });
});

it('sends no logo where none was chosen', async () => {
  const user = userEvent.setup();
  const { calls } = await open({ [save]: () => ({ id: 'o1' }) });
  await typeNames(user);
  await goToLook(user);
  await sendWithOwner(user);
  await waitFor(() => expect(calls(save)).toHaveLength(1));
  expect(calls(save)[0]?.body).not.toHaveProperty('logo');
});

it('refuses at once a file that is no picture, and keeps the input', async () => {
  const user = userEvent.setup({ applyAccept: false });
  await open();
  await typeNames(user);
  const input = await goToLook(user);
  const colour = screen.getByRole('textbox', { name: 'Primary colour' });
  await user.clear(colour);
  await user.type(colour, '#123456');
  await user.upload(input, new File(['some text'], 'text.png', { type: 'image/png' }));
  await screen.findByText('This file is not a picture we can read. Use JPEG, PNG or WebP of up to 8 MB.');
  expect(screen.queryByText('Which part is shown?')).toBeNull();
  expect(colour).toHaveProperty('value', '#123456');
  expect(screen.getByText('Shop', { selector: 'p' })).toBeTruthy();
});

it('keeps the logo while the wizard is left, until it is removed', async () => {
  const user = userEvent.setup();
  const { router } = await open();
  await typeNames(user);
  await chooseLogo(user, await goToLook(user));
  await router.navigate({ to: '/advwsadmin/organize_list' });
  await screen.findByRole('heading', { name: 'Organisations' });
  await waitFor(() => expect(screen.queryByLabelText('Logo')).toBeNull());

  await router.navigate({ to: '/advwsadmin/organize_add' });
  await screen.findByLabelText('Name in Thai');
  await goToLook(user);
  expect(screen.getByRole('img', { name: 'Logo' })).toHaveProperty('src', 'data:image/webp;base64,bG9nbw==');
  await user.click(screen.getByRole('button', { name: 'Remove the logo' }));
  expect(screen.queryByRole('img', { name: 'Logo' })).toBeNull();
  expect(JSON.parse(localStorage.getItem('organize-draft') ?? '')).toMatchObject({ unique: 'shop', logo: '' });
});

it('goes back to the logo that the server refused', async () => {
  const user = userEvent.setup();
  const fields = [{ path: 'logo', fault: 'picture.dimensions' }];
  await open({ [save]: () => new Refusal(422, 'input.invalid', { fields }) });
  await typeNames(user);
  await chooseLogo(user, await goToLook(user));
  await sendWithOwner(user);
  const sentence = 'This picture is too small or too large. Choose another one.';
  expect(await screen.findByText(sentence)).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Remove the logo' }));
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
});

it('calls no step done that was left out', async () => {
  const user = userEvent.setup();
  await open();
  await typeNames(user);
  await goToLook(user);
  const step = (title: string) => within(screen.getByText(title).closest('li') as HTMLElement);
  expect(step('LINE and LIFF').getByText('Later')).toBeTruthy();
  expect(step('LINE and LIFF').getByText('3')).toBeTruthy();
  expect(step('Plan and modules').queryByText('2')).toBeNull();
});
