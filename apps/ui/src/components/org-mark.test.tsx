import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OrgMark } from './org-mark.tsx';

afterEach(cleanup);

it.each([
  ['Doi Coffee', 'D'],
  ['เรือนละไม สปา', 'ร'],
  ['เ', 'เ'],
  ['😀 ร้านทดสอบ', '😀'],
  ['', ''],
])('shows the first letter of %j, behind a vowel that is written before it', (name, letter) => {
  const { container } = render(<OrgMark logo={null} name={name} />);
  expect(container.textContent).toBe(letter);
});
