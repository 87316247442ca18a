import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const questions = [
  { id: 'q1', name_th: 'ต้องจองก่อนไหม', name_en: 'Do I have to book?', answer_th: 'จอง', answer_en: 'One day ahead.' },
  { id: 'q2', name_th: 'จอดรถฟรีไหม', name_en: '', answer_th: 'ฟรี 4 ชั่วโมง', answer_en: '' },
];

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('opens from the profile, with answers in the person’s language or in the other', async () => {
  const user = userEvent.setup();
  await renderPage('/user/profile', { '/api/user/get/faq': () => ({ data: questions }) });
  await user.click(await screen.findByRole('link', { name: /Frequently asked questions/ }));

  const first = await screen.findByText('Do I have to book?');
  const details = first.closest('details');
  expect(details?.open).toBe(false);
  await user.click(first);
  expect(details?.open).toBe(true);
  screen.getByText('One day ahead.');
  screen.getByText('จอดรถฟรีไหม');
});

it('says that the staff help while the shop has no answers', async () => {
  await renderPage('/user/faq', { '/api/user/get/faq': () => ({ data: [] }) });
  await screen.findByText('No questions here yet');
  screen.getByText('If something is unclear, the staff at any place will help.');
});

it('loads the questions again after a failure', async () => {
  const user = userEvent.setup();
  let broken = true;
  await renderPage('/user/faq', {
    '/api/user/get/faq': () => (broken ? new Refusal(500, 'internal') : { data: questions }),
  });
  await screen.findByText('The questions did not load');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Do I have to book?');
});
