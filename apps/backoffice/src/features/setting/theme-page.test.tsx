import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Refusal } from '@wlv/client/test-kit';
import examples from '@wlv/ui/theme/examples.json';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const setting = {
  name_th: 'เรือนละไม สปา',
  name_en: 'Ruean Lamai Spa',
  tagline_th: '',
  tagline_en: '',
  background_color_primary: '#1f5c4d',
  background_color_secondary: '#d9a662',
  logo_id: null,
  register_before_use: false,
};
const themeOf = ({ primary }: { primary: string }) => examples.find((one) => one.primary === primary);
const open = (theme: (body: { primary: string }) => unknown) =>
  renderOffice('/owner/settingtheme', {
    answers: { '/api/owner/setting/get': () => setting, '/api/staff/theme': theme },
  });

/** The colour of buttons on the phone that shows the day. */
const buttons = () => {
  const phone = screen.getByTitle<HTMLIFrameElement>('By day');
  return phone.contentDocument?.documentElement.style.getPropertyValue('--brand');
};

it('shows the computed colours, asks once for a drag, and keeps the old ones meanwhile', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const page = await open(async (body) => {
    if (body.primary !== '#1f5c4d') await answered;
    return themeOf(body);
  });
  await waitFor(() => expect(buttons()).toBe('#1f5c4d'));
  expect(page.calls('/api/staff/theme')).toHaveLength(1);

  const [picker] = screen.getAllByLabelText('Pick a colour');
  for (const value of ['#000000', '#3b1f8f', '#f7a8b8']) fireEvent.change(picker as Element, { target: { value } });
  await waitFor(() => expect(page.calls('/api/staff/theme')).toHaveLength(2));
  expect(page.calls('/api/staff/theme')[1]?.body).toEqual({ primary: '#f7a8b8', secondary: '#d9a662' });
  expect(buttons()).toBe('#1f5c4d');

  answer();
  await waitFor(() => expect(buttons()).toBe('#f7a8b8'));
});

it('says that the colours could not be computed, and asks again', async () => {
  let refused = true;
  await open((body) => (refused ? new Refusal(422, 'input.invalid') : themeOf(body)));
  expect(await screen.findByText('The colours did not load')).toBeTruthy();
  refused = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Words on buttons')).toBeTruthy();
});
