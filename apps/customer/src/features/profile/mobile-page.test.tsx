import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ann, renderPage } from '../../test/render-page.ts';

const here = '/user/profile/mobile';
const requestPath = '/api/user/mobile/request';
const verifyPath = '/api/user/mobile/verify';
const sent = { valid_seconds: 300, again_seconds: 60 };

const answers: Answers = {
  [requestPath]: () => sent,
  [verifyPath]: ({ code }: { code: string }) =>
    code === '123456' ? {} : new Refusal(422, 'otp.wrong', { detail: { tries_left: 4 } }),
};

const typist = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
const button = (name: string) => screen.findByRole('button', { name });
const numberField = () => screen.findByLabelText('Mobile number');
const codeField = () => screen.findByLabelText<HTMLInputElement>('Code of six digits');

/** Goes on to the code. */
async function askForCode(user = typist(), number = '081-234-5678') {
  await user.type(await numberField(), number);
  await user.click(await button('Send the code by SMS'));
  await codeField();
  return user;
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('opens from the profile, verifies by the code as it is whole, and leads back', async () => {
  const user = typist();
  let profile = ann;
  const page = await renderPage('/user/profile', {
    ...answers,
    '/api/user/profile/customer': () => profile,
    [verifyPath]: () => {
      profile = { ...ann, mobilenumber: '08x-xxx-5678', mobile_verified: true };
      return {};
    },
  });
  await screen.findByText('Not verified yet');
  await user.click(screen.getByRole('link', { name: /Mobile number/ }));
  const field = await numberField();
  expect(field.getAttribute('autocomplete')).toBe('tel');
  const [tab] = screen.getAllByRole('link', { name: 'Profile', current: 'page' });
  expect(tab).toBeTruthy();

  await askForCode(user);
  const code = await codeField();
  expect([code.inputMode, code.autocomplete, document.activeElement]).toEqual(['numeric', 'one-time-code', code]);
  await user.type(code, '12 34-5');
  expect(page.calls(verifyPath)).toHaveLength(0);
  await user.type(code, '6');
  await screen.findByText('Your number is verified');
  expect(page.calls(requestPath).map((call) => call.body)).toEqual([{ mobile: '0812345678' }]);
  expect(page.calls(verifyPath).map((call) => call.body)).toEqual([{ mobile: '0812345678', code: '123456' }]);

  await user.click(screen.getByRole('link', { name: 'Back to your profile' }));
  await screen.findByText('08x-xxx-5678 · Verified');
  expect(location.pathname).toBe('/user/profile');
});

it.each(['081 234 5678', '+66812345678', '(+66) 81-234-5678', '0812345678'])('takes %s', async (number) => {
  const page = await renderPage(here, answers);
  await askForCode(typist(), number);
  expect(page.calls(requestPath)[0]?.body).toEqual({ mobile: '0812345678' });
});

it.each(['', '02 123 4567', '0812', '+1 202 555 0123', '081234567๘'])('does not take “%s”', async (number) => {
  const user = typist();
  const page = await renderPage(here, answers);
  const field = await numberField();
  if (number) await user.type(field, number);
  await user.click(await button('Send the code by SMS'));
  await screen.findByText('Enter a Thai mobile number with ten digits.');
  expect(document.activeElement).toBe(field);
  expect(page.calls(requestPath)).toHaveLength(0);
});

it('shows at the field that the server takes it for no mobile number', async () => {
  const user = typist();
  const refusal = new Refusal(422, 'input.invalid', { fields: [{ path: 'mobile', fault: 'sms.number' }] });
  await renderPage(here, { ...answers, [requestPath]: () => refusal });
  await user.type(await numberField(), '0612345678');
  await user.click(await button('Send the code by SMS'));
  await screen.findByText('Enter a Thai mobile number with ten digits.');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

it('says how many tries a wrong code leaves, and takes the next one', async () => {
  let left = 2;
  await renderPage(here, {
    ...answers,
    [verifyPath]: ({ code }: { code: string }) =>
      code === '123456' ? {} : new Refusal(422, 'otp.wrong', { detail: { tries_left: left-- } }),
  });
  const user = await askForCode();
  const field = await codeField();
  await user.type(field, '000000');
  await screen.findByText('Wrong code. 2 tries left.');
  expect(field.value).toBe('');
  await user.type(field, '000001');
  await screen.findByText('Wrong code. 1 try left.');
  await user.type(field, '123456');
  await screen.findByText('Your number is verified');
});

it('counts down until a new code may be asked for, which takes the place of the one before', async () => {
  const page = await renderPage(here, answers);
  const user = await askForCode();
  await screen.findByText('You can ask for a new code in 01:00');
  expect(screen.queryByRole('button', { name: 'Send a new code' })).toBeNull();
  await vi.advanceTimersByTimeAsync(45_000);
  await screen.findByText(/^You can ask for a new code in 00:1\d$/);
  await vi.advanceTimersByTimeAsync(15_000);
  await user.type(await codeField(), '12');
  await user.click(await button('Send a new code'));
  await screen.findByText('You can ask for a new code in 01:00');
  const field = await codeField();
  expect([field.value, document.activeElement]).toEqual(['', field]);
  expect(page.calls(requestPath)).toHaveLength(2);
});

it('closes a code that is over, and has a new one sent at once', async () => {
  let over = true;
  await renderPage(here, {
    ...answers,
    [requestPath]: () => ({ ...sent, again_seconds: 0 }),
    [verifyPath]: () => (over ? new Refusal(409, 'otp.over') : {}),
  });
  const user = await askForCode();
  await user.type(await codeField(), '123456');
  await screen.findByText("This code can't be used any more. Ask for a new one.");
  expect((await codeField()).disabled).toBe(true);
  over = false;
  await user.click(await button('Send a new code'));
  await waitFor(async () => expect((await codeField()).disabled).toBe(false));
  expect(screen.queryByText("This code can't be used any more. Ask for a new one.")).toBeNull();
  await user.type(await codeField(), '123456');
  await screen.findByText('Your number is verified');
});

it('counts the seconds of a number that has to wait, and takes the code that it has', async () => {
  const user = typist();
  const page = await renderPage(here, {
    ...answers,
    [requestPath]: () => new Refusal(429, 'otp.wait', { detail: { seconds: 42 } }),
  });
  const field = await numberField();
  await user.type(field, '0812345678');
  await user.click(await button('Send the code by SMS'));
  await screen.findByText('A new code can be sent in 00:42');

  // Another number need not wait.
  await user.type(field, '{Backspace}9');
  await button('Send the code by SMS');
  await user.type(field, '{Backspace}8');
  await user.click(await button('Enter the code'));
  await user.type(await codeField(), '123456');
  await screen.findByText('Your number is verified');
  expect(page.calls(requestPath)).toHaveLength(1);
});

it('sends again once the wait is over', async () => {
  const user = typist();
  let refusal: unknown = new Refusal(429, 'otp.wait', { detail: { seconds: 2 } });
  await renderPage(here, { ...answers, [requestPath]: () => refusal });
  await user.type(await numberField(), '0812345678');
  await user.click(await button('Send the code by SMS'));
  await screen.findByText(/^A new code can be sent in/);
  refusal = sent;
  await vi.advanceTimersByTimeAsync(2_000);
  await user.click(await button('Send the code by SMS'));
  await codeField();
});

it.each([
  ['2027-03-31T08:15:00Z', '15:15'],
  ['2027-03-31T19:15:00Z', '01/04/2027 02:15'],
])('says until when there are no more codes: %s', async (until, when) => {
  vi.setSystemTime('2027-03-31T03:00:00Z');
  const sentence = `Too many codes were asked for. You can ask for the next one after ${when}.`;
  const enough = new Refusal(429, 'otp.enough', { detail: { until } });
  let refusal: unknown = sent;
  await renderPage(here, { ...answers, [requestPath]: () => refusal });
  const user = await askForCode();
  refusal = enough;
  await vi.advanceTimersByTimeAsync(60_000);
  await user.click(await button('Send a new code'));
  await screen.findByText(sentence);
  expect(screen.queryByRole('button', { name: 'Send a new code' })).toBeNull();

  await user.click(await button('Change the number'));
  await screen.findByDisplayValue('081-234-5678');
  await user.click(await button('Send the code by SMS'));
  await screen.findByText(sentence);
});

it('tries again when codes cannot be sent or checked', async () => {
  let away: unknown = new Refusal(503, 'otp.unavailable');
  await renderPage(here, {
    [requestPath]: () => away ?? sent,
    [verifyPath]: () => away ?? {},
  });
  const user = typist();
  const sentence = "Codes can't be sent or checked right now. Please try again in a moment.";
  await user.type(await numberField(), '0812345678');
  await user.click(await button('Send the code by SMS'));
  await screen.findByText(sentence);
  away = undefined;
  await user.click(await button('Send the code by SMS'));
  const field = await codeField();
  away = new Refusal(503, 'otp.unavailable');
  await user.type(field, '123456');
  await screen.findByText(sentence);
  expect(field.value).toBe('123456');
  away = undefined;
  await user.click(await button('Check the code again'));
  await screen.findByText('Your number is verified');
});

it('changes a number that is verified', async () => {
  const user = typist();
  await renderPage('/welovevoucher/1656565656-AbCdEfGh/profile/mobile', {
    ...answers,
    '/api/user/profile/customer': () => ({ ...ann, mobilenumber: '08x-xxx-1234', mobile_verified: true }),
  });
  await screen.findByText('08x-xxx-1234 is verified');
  await user.type(await screen.findByLabelText('New mobile number'), '0812345678');
  await user.click(await button('Send the code by SMS'));
  await user.type(await codeField(), '123456');
  await screen.findByText('Your number is verified');
  await user.click(screen.getByRole('link', { name: 'Back to your profile' }));
  await waitFor(() => expect(location.pathname).toBe('/welovevoucher/1656565656-AbCdEfGh/profile'));
});

it.each([
  ['/user/gifts?tab=sent', '/user/gifts?tab=sent'],
  ['https://evil.example/user', '/user/profile'],
])('returns to %s if that is ours', async (wanted, end) => {
  await renderPage(`${here}?return=${encodeURIComponent(wanted)}`, answers);
  const user = await askForCode();
  await user.type(await codeField(), '123456');
  await screen.findByText('Your number is verified');
  await user.click(screen.queryByRole('button', { name: 'Carry on' }) ?? screen.getByText('Back to your profile'));
  await waitFor(() => expect(location.pathname + location.search).toBe(end));
});
