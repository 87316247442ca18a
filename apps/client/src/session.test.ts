import { afterEach, expect, it, vi } from 'vitest';
import { audienceOf, session } from './session.ts';

afterEach(() => localStorage.clear());

it('knows the audience of a path', () => {
  expect(audienceOf('/api/user/getwallet')).toBe('user');
  expect(audienceOf('/api/owner/get/salepackage')).toBe('owner');
  expect(audienceOf('/api/authen/line/start')).toBeNull();
});

it('keeps the cart when a session ends, and reports the end', () => {
  const reported = vi.fn();
  const stop = session.onExpired(reported);
  session.save('user', 'us_ann');
  localStorage.setItem('cart', '[]');
  localStorage.setItem('use:v1', 'secret');

  session.expire('user');

  expect(session.token('user')).toBeNull();
  expect(localStorage.getItem('use:v1')).toBeNull();
  expect(localStorage.getItem('cart')).toBe('[]');
  expect(reported).toHaveBeenCalledWith('user', false);
  stop();
});

it('forgets everything when the person signs out', () => {
  session.save('user', 'us_ann');
  localStorage.setItem('cart', '[]');

  session.forget('user');

  expect(localStorage.length).toBe(0);
});

it('clears the owner’s session, and keeps that of staff in the same browser', () => {
  session.save('owner', 'ow_o');
  session.save('staff', 'st_s');
  localStorage.setItem('org', 'x');

  session.clear('owner');

  expect(session.token('owner')).toBeNull();
  expect(localStorage.getItem('org')).toBeNull();
  expect(session.token('staff')).toBe('st_s');
});
