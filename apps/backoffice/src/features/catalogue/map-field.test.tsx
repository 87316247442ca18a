import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

async function opened() {
  const office = await renderOffice('/owner/servicepointlist/new', {
    answers: { '/api/owner/save/service_point': (body: object) => ({ ...body, id: 'p' }) },
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Add service point' }));
  const user = userEvent.setup();
  await user.type(drawer.getByLabelText('Name in Thai'), 'นิมมาน');
  return { ...office, drawer, user };
}

it('takes the place out of a pasted link', async () => {
  const { drawer, user, calls } = await opened();
  await user.click(drawer.getByLabelText('Link of the map'));
  await user.paste('https://www.google.com/maps/place/Spa/@18.7,98.9,17z/data=!8m2!3d18.7961!4d98.9683');
  expect(drawer.getByRole('link', { name: 'See 18.7961, 98.9683 on the map' })).toBeTruthy();
  await user.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls('/api/owner/save/service_point')[0]?.body).toMatchObject({ latitude: 18.7961, longitude: 98.9683 }),
  );
});

it('says that a short link cannot be followed, and saves nothing with it', async () => {
  const { drawer, user, calls } = await opened();
  const field = drawer.getByLabelText('Link of the map');
  await user.click(field);
  await user.paste('https://maps.app.goo.gl/AbCdEf');
  expect(await drawer.findByText(/We cannot open a short link/)).toBeTruthy();
  await user.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(calls('/api/owner/save/service_point')).toHaveLength(0);

  await user.clear(field);
  await user.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls('/api/owner/save/service_point')[0]?.body).toMatchObject({ latitude: null, longitude: null }),
  );
});
