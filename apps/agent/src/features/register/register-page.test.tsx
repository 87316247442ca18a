import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { check, type Form } from '../../application/application.ts';
import { filling, home, notAnAgent, renderPage, sentForm } from '../../test/render-page.ts';
import { sharpness } from './prepare-picture.ts';
import { hidden } from './secret-input.tsx';

beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 800, height: 500, close: () => undefined }));
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const both = { idcard: 'p1', bank: 'p2' };
const nothing = { state: '', early: false, draft: null, sent: null, known: null };
const draft = (change: object = {}, form: object = {}) => ({
  ...nothing,
  state: 'draft',
  draft: { ...filling, ...change, form: { ...filling.form, ...form } },
});

function open(application: object, answers: object = {}) {
  return renderPage(`${home}/register`, {
    '/api/agent/profile/agent': notAnAgent,
    '/api/agent/register/get': () => application,
    '/api/agent/register/save': () => application,
    ...answers,
  });
}

const next = () => screen.findByRole('button', { name: 'Next' });

it('begins with what is known of the person', async () => {
  const user = userEvent.setup();
  const page = await open(nothing, { '/api/agent/register/begin': () => draft() });
  await user.click(await screen.findByRole('button', { name: 'Fill in the form' }));
  expect(((await screen.findByLabelText('First name')) as HTMLInputElement).value).toBe('Wipada');
  expect(page.calls('/api/agent/register/begin')).toHaveLength(1);
});

it('keeps what is typed, and says so', async () => {
  const user = userEvent.setup();
  const page = await open(draft());
  const name = await screen.findByLabelText('First name');
  await user.clear(name);
  await user.type(name, 'Wan');
  await waitFor(() => expect(page.calls('/api/agent/register/save').at(-1)?.body.firstname).toBe('Wan'), {
    timeout: 3000,
  });
  await screen.findByText('What you filled in is kept');
});

it('says at each field what is missing, and goes to the first one', async () => {
  const user = userEvent.setup();
  await open(draft({}, { lastname: '', birthdate: '2020-01-01' }));
  await user.click(await next());
  await screen.findByText('Please fill this in');
  await screen.findByText('You have to be 20 years old to sell.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Last name')));
});

it('keeps a number of nine digits, and says that it cannot be verified', async () => {
  await open(draft({}, { mobilenumber: '053123456' }));
  await screen.findByText(/no SMS reaches it/);
});

it('asks a company for its own numbers, and for no birth date', async () => {
  const user = userEvent.setup();
  await open(draft());
  await user.click(await screen.findByLabelText('A company'));
  screen.getByLabelText('Name of the company');
  screen.getByLabelText('Tax ID');
  expect(screen.queryByLabelText('Date of birth')).toBeNull();
});

it('hides the middle of a number until it is asked for', async () => {
  const user = userEvent.setup();
  await open(draft());
  const card = (await screen.findByLabelText('ID card or passport number')) as HTMLInputElement;
  expect(card.value).toBe('11017••••3646');
  await user.click(screen.getByRole('button', { name: 'Show the number' }));
  expect(card.value).toBe('1101700203646');
});

it('shows while it is typed whether the account has the person’s own name', async () => {
  const user = userEvent.setup();
  await open(draft({}, { account_name: '' }));
  await user.click(await next());
  const name = await screen.findByLabelText('Account name');
  await user.type(name, 'Miss Wipada Kanta');
  await screen.findByText('4 letters to go');
  await user.type(name, 'x');
  await screen.findByText('Another letter: “x”, in your name it is “w”');
  await user.type(name, '{Backspace}wong');
  await screen.findByText('The same name');
});

it('sends once texts, pictures and code are there', async () => {
  const user = userEvent.setup();
  const whole = draft({ pictures: both });
  const texts = [
    {
      _id: 't1',
      kind: 'terms',
      purpose: 'customer',
      name_th: '',
      name_en: 'Terms for agents',
      body_th: '',
      body_en: 'All.',
      active: true,
    },
  ];
  const verified = draft({ pictures: both, mobile_verified: true });
  const page = await open(whole, {
    '/api/agent/consent/open': () => ({ data: texts }),
    '/api/agent/consent/accept': () => ({}),
    '/api/agent/register/code': () => ({ valid_seconds: 300, again_seconds: 60 }),
    '/api/agent/register/verify': () => verified,
    '/api/agent/register/send': () => ({ ...nothing, state: 'pending', sent: sentForm }),
  });
  await user.click(await next());
  await user.click(await next());
  const send = await screen.findByRole('button', { name: 'Send a code to your number' });
  expect(send).toHaveProperty('disabled', true);
  await user.click(await screen.findByLabelText('I accept: Terms for agents'));
  await user.click(send);
  await user.type(await screen.findByLabelText('Code of six digits'), '588310');
  await screen.findByText('Your form is sent');
  expect(page.calls('/api/agent/consent/accept')[0]?.body).toEqual({ version_ids: ['t1'], lang: 'en' });
  expect(page.calls('/api/agent/register/verify')[0]?.body).toEqual({ code: '588310' });
  expect(page.calls('/api/agent/register/send')).toHaveLength(1);
});

it('goes back to the field that the server refuses', async () => {
  const user = userEvent.setup();
  await open(draft({ pictures: both, mobile_verified: true }), {
    '/api/agent/register/send': () =>
      new Refusal(422, 'input.invalid', { fields: [{ path: 'account_name', fault: 'agent.bank_name' }] }),
  });
  await user.click(await next());
  await user.click(await next());
  await user.click(await screen.findByRole('button', { name: 'Send the form' }));
  await screen.findByText('The account has to be in your own name.');
});

it('opens after a refusal only what is to be mended', async () => {
  await open({
    ...nothing,
    state: 'refused',
    draft: { ...filling, pictures: both, mobile_verified: true, mend: ['picture_bank'] },
    sent: {
      ...sentForm,
      state: 'refused',
      reason: 'Not readable',
      mend: ['picture_bank'],
      decided_at: '2026-11-23T03:24:00Z',
    },
  });
  await screen.findByText('One picture is left to mend');
  screen.getByText('“Not readable”');
  screen.getByText('Picture of the ID card');
  screen.getByRole('button', { name: 'Photograph the bank book anew' });
  expect(screen.queryByLabelText('First name')).toBeNull();
});

it('says what still holds while somebody is suspended', async () => {
  await open({ ...nothing, state: 'suspended', sent: null, known: { ...sentForm, state: 'approved' } });
  await screen.findByText('The shop has paused your selling');
  screen.getByText('Kasikornbank ····3732');
});

it('finds a picture sharp by its edges', () => {
  const picture = (value: (x: number, y: number) => number) => {
    const data = new Uint8ClampedArray(32 * 32 * 4);
    for (let i = 0; i < 32 * 32; i++) data.fill(value(i % 32, Math.floor(i / 32)), i * 4, i * 4 + 3);
    return { data, width: 32, height: 32 };
  };
  expect(sharpness(picture((x) => (x % 4 < 2 ? 0 : 255)))).toBeGreaterThan(1000);
  expect(sharpness(picture((x) => x * 4))).toBeLessThan(5);
});

it('hides numbers that are too short to be cut without a gap', () => {
  expect(hidden('AA123')).toBe('AA123');
  expect(hidden('AA12345')).toBe('A••2345');
});

it('has the server’s rules', () => {
  const form = filling.form as Form;
  expect(check(form, 'self')).toEqual({});
  expect(check({ ...form, postcode: '05018' }, 'self')).toEqual({ postcode: 'field.format' });
  expect(check({ ...form, mobilenumber: '1234567' }, 'self')).toEqual({ mobilenumber: 'payee.mobile' });
  expect(check({ ...form, birthdate: '2006-11-22' }, 'self', new Date(2026, 10, 21))).toEqual({
    birthdate: 'agent.too_young',
  });
  expect(check({ ...form, bank: '' }, 'account')).toEqual({ bank: 'field.required' });
});
