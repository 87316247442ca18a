import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { faultSentence } from './faults.ts';

function Refused() {
  const { i18n } = useLingui();
  return <p>{faultSentence(i18n, 'voucher.refunded')}</p>;
}

it('has the words of a fault that an answer names before anything was refused', async () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  render(
    <I18nProvider i18n={i18n}>
      <Refused />
    </I18nProvider>,
  );
  expect(screen.queryByText(/couldn't read/)).toBeNull();
  await screen.findByText('This voucher was refunded. It cannot be used any more.');
});
