import { session } from '@wlv/client/session';
import { serve } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';

const device = vi.fn();
vi.mock('@wlv/client/device', () => ({ device }));

afterEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("says once with which code LINE's kit did not start, and again when it does", async () => {
  const { reportLine } = await import('./line-report.ts');
  session.save('user', 'somebody');
  const { calls } = serve({ '/api/user/push/device': () => ({}) });
  device.mockResolvedValue({
    friend: async () => null,
    failed: Object.assign(new Error('no'), { code: 'INIT_FAILED' }),
  });
  await reportLine('1657000001-customer');
  await reportLine('1657000001-customer');
  device.mockResolvedValue({ friend: async () => true });
  await reportLine('1657000001-customer');
  expect(calls('/api/user/push/device').map(({ body }) => body)).toEqual([
    expect.objectContaining({ friend: null, failed: 'INIT_FAILED' }),
    expect.objectContaining({ friend: true, failed: '' }),
  ]);
});

it.each([
  [Object.assign(new Error('no'), { code: 'INVALID_CONFIG' }), 'INVALID_CONFIG'],
  [Object.assign(new Error('no'), { code: 'words of somebody else' }), 'NOT_LOADED'],
  [new TypeError('Failed to fetch'), 'NOT_LOADED'],
])('names %s by a code', async (error, code) => {
  const { reportLine } = await import('./line-report.ts');
  session.save('user', 'somebody');
  const { calls } = serve({ '/api/user/push/device': () => ({}) });
  device.mockResolvedValue({ friend: async () => null, failed: error });
  await reportLine('1657000001-customer');
  expect(calls('/api/user/push/device')[0]?.body).toMatchObject({ failed: code });
});
