import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { cart, useCart, useCartCount } from './cart-store.ts';

afterEach(() => localStorage.clear());

it('adds, changes and removes; the badge is the sum of counts', () => {
  const { result } = renderHook(() => [useCart(), useCartCount()] as const);

  act(() => cart.add('a'));
  act(() => cart.add('a'));
  act(() => cart.add('b'));
  expect(result.current).toEqual([
    [
      { package_id: 'a', total: 2 },
      { package_id: 'b', total: 1 },
    ],
    3,
  ]);

  act(() => cart.set('b', 5));
  act(() => cart.remove('a'));
  expect(result.current).toEqual([[{ package_id: 'b', total: 5 }], 5]);
});

it('is empty when the stored cart cannot be read', () => {
  localStorage.setItem('cart', '{"a":1');
  expect(renderHook(() => useCart()).result.current).toEqual([]);
});
