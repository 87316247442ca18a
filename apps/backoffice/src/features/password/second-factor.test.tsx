import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

it('is switched on by a code of the app, shows the recovery codes once, and is switched off by a code', async () => {
  const user = userEvent.setup();
  let on = false;
  const { calls } = await renderOffice('/owner/secondfactor', {
    answers: {
      '/api/account/secondfactor/state': () => ({
        on,
        since: on ? '2026-11-01T00:00:00Z' : null,
        recovery_codes: on ? 10 : 0,
      }),
      '/api/account/secondfactor/offer': () => ({ secret: 'ABCDEF', url: 'otpauth://totp/x' }),
      '/api/account/secondfactor/start': () => {
        on = true;
        return { codes: ['aaaaaa-bbbbbb', 'cccccc-dddddd'] };
      },
      '/api/account/secondfactor/stop': ({ code }: { code: string }) => {
        if (code !== '654321') return new Refusal(409, 'second_factor.code');
        on = false;
        return {};
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Switch on' }));
  expect(await screen.findByText('ABCDEF')).toBeTruthy();
  await user.type(screen.getByLabelText("The app's code"), '123456');
  await user.click(screen.getByRole('button', { name: 'Switch on' }));
  expect(await screen.findByText('aaaaaa-bbbbbb')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(screen.queryByText('aaaaaa-bbbbbb')).toBeNull();

  await user.click(await screen.findByRole('button', { name: 'Switch off' }));
  const field = await screen.findByLabelText("The app's code, or a recovery code");
  await user.type(field, '111111');
  await user.click(screen.getAllByRole('button', { name: 'Switch off' }).at(-1) as HTMLElement);
  expect(await screen.findByText(/This code is wrong/)).toBeTruthy();
  await user.clear(field);
  await user.type(field, '654321');
  await user.click(screen.getAllByRole('button', { name: 'Switch off' }).at(-1) as HTMLElement);
  await waitFor(() => expect(calls('/api/account/secondfactor/stop')).toHaveLength(2));
  expect(await screen.findByText('Off')).toBeTruthy();
});
