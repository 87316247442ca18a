import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

afterEach(cleanup);

function Page({ searched }: { searched: (words: string) => void }) {
  const [words, setWords] = useState('');
  const search = (next: string) => {
    searched(next);
    setWords(next);
  };
  return (
    <>
      <SearchField label="Search" value={words} onSearch={search} />
      <button type="button" onClick={() => setWords('')}>
        Show everything
      </button>
    </>
  );
}

it('searches once the person pauses, and keeps the field in focus', async () => {
  const user = userEvent.setup();
  const searched = vi.fn();
  render(<Page searched={searched} />);
  const field = screen.getByRole<HTMLInputElement>('searchbox');

  await user.type(field, 'oil ');
  await vi.waitFor(() => expect(searched.mock.calls).toEqual([['oil']]));
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe('oil ');

  await user.type(field, 'wrap{Enter}');
  expect(searched.mock.calls).toEqual([['oil'], ['oil wrap']]);
});

it('follows a search that is changed elsewhere', async () => {
  const user = userEvent.setup();
  render(<Page searched={() => undefined} />);
  const field = screen.getByRole<HTMLInputElement>('searchbox');
  await user.type(field, 'oil{Enter}');
  await user.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(field.value).toBe('');
});
