import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderOffice } from '../test/render-office.ts';

const uploads = '/api/owner/upload/image';

it('refuses at once a file that is no picture or too large, and keeps the input', async () => {
  const user = userEvent.setup({ applyAccept: false });
  const { calls } = await renderOffice('/owner/vouchertypelist/new');
  vi.stubGlobal('createImageBitmap', async (file: File) => {
    if ((await file.text()) !== 'a picture') throw new DOMException('not decoded', 'InvalidStateError');
    return { close() {} };
  });
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  const drawer = within(await screen.findByRole('dialog', { name: 'Add voucher type' }));
  await user.type(drawer.getByLabelText('Name in Thai'), 'นวด');

  const input = drawer.getByLabelText('Picture', { selector: 'input' });
  const sentence = 'This file is not a picture we can read. Use JPEG, PNG or WebP of up to 8 MB.';
  for (const file of [
    new File(['some text'], 'text.png', { type: 'image/png' }),
    new File(['a picture'], 'film.gif', { type: 'image/gif' }),
  ]) {
    await user.upload(input, file);
    expect(await drawer.findByText(sentence)).toBeTruthy();
  }
  const large = new File(['a picture'], 'large.png', { type: 'image/png' });
  Object.defineProperty(large, 'size', { value: (8 << 20) + 1 });
  await user.upload(input, large);
  expect(await drawer.findByText('This picture is larger than 8 MB. Choose a smaller one.')).toBeTruthy();
  expect(screen.queryByText('Which part is shown?')).toBeNull();
  expect(calls(uploads)).toEqual([]);
  expect(drawer.getByLabelText('Name in Thai')).toHaveProperty('value', 'นวด');

  await user.upload(input, new File(['a picture'], 'picture.png', { type: 'image/png' }));
  expect(await screen.findByText('Which part is shown?')).toBeTruthy();
  expect(drawer.queryByText(sentence)).toBeNull();
});
