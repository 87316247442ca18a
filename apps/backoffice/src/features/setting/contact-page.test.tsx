import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const empty = {
  legal_name_th: '',
  legal_name_en: '',
  address_th: '',
  address_en: '',
  tax_id: '',
  branch: '',
  phone: '',
  email: '',
  line_id: '',
};

it('keeps the digits of a tax id, and says at its field that it is none', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/settingcontactus', {
    answers: {
      '/api/owner/setting/contactus/get': () => empty,
      '/api/owner/setting/contactus/save': () =>
        new Refusal(422, 'input.invalid', { fields: [{ path: 'tax_id', fault: 'field.tax_id' }] }),
    },
  });
  const field = await screen.findByLabelText('Tax id');
  await user.type(field, '0-1055-36000-31-4');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls('/api/owner/setting/contactus/save')[0]?.body).toEqual({ ...empty, tax_id: '0105536000314' }),
  );
  expect(await screen.findByText('This is no tax id: please check its 13 digits.')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

it('refuses half a tax id itself', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/settingcontactus', {
    answers: { '/api/owner/setting/contactus/get': () => empty },
  });
  await user.type(await screen.findByLabelText('Tax id'), '01055');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This does not look right. Please check how it is written.')).toBeTruthy();
  expect(calls('/api/owner/setting/contactus/save')).toHaveLength(0);
});
