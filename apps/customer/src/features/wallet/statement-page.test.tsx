import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setLanguage } from '@wlv/client/language';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { messageCatalog } from '../../messages.ts';
import { renderPage } from '../../test/render-page.ts';

const phone = vi.hoisted(() => ({ openOutside: null as ((url: string) => void) | null }));
vi.mock('@wlv/client/device', () => ({ device: async () => phone }));

const saved = vi.hoisted(() => vi.fn());
vi.mock('@wlv/client/download', () => ({ saveFile: saved }));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  phone.openOutside = null;
  saved.mockReset();
});

const movement = (rest: object) => ({
  id: 'm1',
  kind: 'refund',
  cause_id: 'f1',
  number: 'REFUND1',
  at: '2026-11-21T07:05:00Z',
  amount_satang: 50_000,
  after_satang: 150_000,
  title_th: 'คืนเงิน',
  title_en: 'Refund',
  ...rest,
});

const statement = (rest: object) => ({
  month: '2026-11',
  opening_satang: 120_000,
  in_satang: 50_000,
  out_satang: 20_000,
  closing_satang: 150_000,
  months: ['2026-11', '2026-10', '2026-09'],
  data: [movement({})],
  next: null,
  ...rest,
});

type Asked = { month: string; after?: string };

const page = (answer: (body: Asked) => object, answers: object = {}, address = '/user/wallet/statement') =>
  renderPage(address, {
    '/api/user/wallet/statement': (body: object) => answer(body as Asked),
    '/api/user/consent/open': () => ({ data: [] }),
    ...answers,
  });

const figures = () => [...document.querySelectorAll('dl > div')].map((row) => row.textContent);

it('has the figures of this month and its movements, which open with their number', async () => {
  const user = userEvent.setup();
  const asked: Asked[] = [];
  await page((body) => {
    asked.push(body);
    return statement({});
  });
  await screen.findByText('Opening balance');
  expect(figures()).toEqual([
    'Opening balance1,200.00',
    'Money in+500.00',
    'Money out−200.00',
    'Closing balance1,500.00',
  ]);
  expect(asked).toEqual([{ month: '', limit: 30 }]);
  await user.click(screen.getByRole('button', { name: /Refund14:05\+500\.00/ }));
  within(await screen.findByRole('dialog')).getByText('REFUND1');
});

it('goes to another month, whose figures take the place of these', async () => {
  const user = userEvent.setup();
  await page(({ month }) => (month === '2026-10' ? statement({ month, opening_satang: 7_00 }) : statement({})));
  const choice = await screen.findByRole('combobox', { name: 'Month' });
  expect(choice.textContent).toBe('Nov 2026');
  await user.click(choice);
  await user.click(await screen.findByRole('option', { name: 'Oct 2026' }));
  await waitFor(() => expect(figures()[0]).toBe('Opening balance7.00'));
  expect(location.search).toBe('?month=2026-10');
});

it('shows more of a month on demand, under the same figures', async () => {
  const user = userEvent.setup();
  await page(({ after }) =>
    statement(
      after ? { data: [movement({ id: 'm0', title_en: 'Top-up', kind: 'topup' })] } : { next: after ? null : 'm1' },
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByRole('button', { name: /Top-up/ });
  screen.getByRole('button', { name: /Refund/ });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('has balances but no file of a month in which nothing moved', async () => {
  await page(() => statement({ data: [], in_satang: 0, out_satang: 0, closing_satang: 120_000 }));
  await screen.findByText('No money moved in this month');
  expect(figures()).toContain('Closing balance1,200.00');
  expect(screen.queryByRole('button', { name: /csv/ })).toBeNull();
});

it('tries again when it did not load', async () => {
  const user = userEvent.setup();
  let broken = true;
  await page(() => (broken ? new Refusal(500, 'internal') : statement({})));
  await screen.findByText('The statement did not load');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Opening balance');
});

it('asks for this month where an address names none that there is', async () => {
  const months: string[] = [];
  const answer = ({ month }: Asked) => {
    months.push(month);
    return statement({});
  };
  await page(answer, {}, '/user/wallet/statement?month=2026-13');
  await screen.findByText('Opening balance');
  expect(months).toEqual(['']);
});

it('saves the file of the month, in the language of the page', async () => {
  const user = userEvent.setup();
  const wanted: object[] = [];
  await page(() => statement({}), {
    '/api/user/wallet/statement/file': (body: object) => {
      wanted.push(body);
      return { name: 'wallet-2026-11.csv', text: '\ufeffTime\r\n' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Download (csv)' }));
  await screen.findByText('The statement is in the file');
  const [file, name] = saved.mock.calls[0] as [Blob, string];
  expect(name).toBe('wallet-2026-11.csv');
  expect(file.type).toBe('text/csv;charset=utf-8');
  expect(file.size).toBe(9); // with its byte order mark
  await act(() => setLanguage('th', messageCatalog));
  await user.click(screen.getByRole('button', { name: 'ดาวน์โหลด (csv)' }));
  await waitFor(() => expect(wanted).toHaveLength(2));
  expect(wanted).toEqual([
    { month: '2026-11', lang: 'en' },
    { month: '2026-11', lang: 'th' },
  ]);
});

it('says why there is no file', async () => {
  const user = userEvent.setup();
  await page(() => statement({}), {
    '/api/user/wallet/statement/file': () => new Refusal(409, 'wallet.statement_too_long'),
  });
  await user.click(await screen.findByRole('button', { name: 'Download (csv)' }));
  await screen.findByText(/too many movements for one file/);
  expect(saved).not.toHaveBeenCalled();
});

it("opens the file in the phone's own browser inside LINE, whose browser cannot save", async () => {
  const user = userEvent.setup();
  const open = vi.fn();
  phone.openOutside = open;
  await page(() => statement({}), {
    '/api/user/wallet/statement/link': () => ({ secret: 'one-time-secret', expires_at: '' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Download (csv)' }));
  await vi.waitFor(() => expect(open).toHaveBeenCalledWith(`${location.origin}/statement#one-time-secret`));
  screen.getByText(/The link opens once, within ten minutes/);
  expect(saved).not.toHaveBeenCalled();
});

it('opens the file behind a link once, and saves it when its reader says so', async () => {
  const user = userEvent.setup();
  const opened: object[] = [];
  await renderPage(
    '/statement#one-time-secret',
    {
      '/api/user/wallet/statement/open': (body: object) => {
        opened.push(body);
        return { name: 'wallet-2026-11.csv', text: '\ufeffTime\r\n' };
      },
    },
    { signedIn: false },
  );
  await user.click(await screen.findByRole('button', { name: 'Save the file' }));
  expect(saved.mock.calls[0]?.[1]).toBe('wallet-2026-11.csv');
  expect(opened).toEqual([{ secret: 'one-time-secret' }]);
  expect(location.hash).toBe('');
});

it('says that a link is over', async () => {
  await renderPage(
    '/statement#one-time-secret',
    { '/api/user/wallet/statement/open': () => new Refusal(404, 'link.over') },
    { signedIn: false },
  );
  await screen.findByRole('alert');
  expect(screen.queryByRole('button', { name: 'Save the file' })).toBeNull();
});
