import { screen } from '@testing-library/react';
import { spa } from '@wlv/client/test-kit';
import { expect, it, vi } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const promise = 'Your money is safe until you use it';

/** What stands in the phone of the preview. */
const shown = () =>
  screen.findByTitle<HTMLIFrameElement>('As the customer sees it').then(({ contentDocument }) =>
    vi.waitFor(() => {
      const text = contentDocument?.body.textContent ?? '';
      expect(text).toContain('Buy now');
      return text;
    }),
  );

it('shows the promise that the customer reads', async () => {
  await renderOffice('/owner/packagelist/new');
  expect(await shown()).toContain(promise);
});

it('does not promise to keep money that the organisation collects itself', async () => {
  await renderOffice('/owner/packagelist/new', { org: { ...spa, protected: false } });
  expect(await shown()).not.toContain(promise);
});
