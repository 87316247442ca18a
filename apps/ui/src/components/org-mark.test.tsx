import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OrgMark } from './org-mark.tsx';

afterEach(cleanup);

it('shows the monogram where there is no logo', () => {
  const { container } = render(<OrgMark logo={null} name="ร้านกาแฟดอย" />);
  expect(container.textContent).toBe('กฟ');
});

it('shows the logo, and no letters', () => {
  const { container } = render(<OrgMark logo="/media/1" name="ร้านกาแฟดอย" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/1');
  expect(container.textContent).toBe('');
});
