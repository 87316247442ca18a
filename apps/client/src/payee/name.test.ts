import { expect, it } from 'vitest';
import { matchName, sameName } from './name.ts';
import cases from './names.json';

it.each(cases)('compares $account with $name as the server does', ({ account, name, same }) => {
  expect(sameName(account, name)).toBe(same);
});

it('says how far a name is typed', () => {
  const match = matchName('วิภาดา กันทะวง', 'วิภาดา กันทะวงศ์');
  expect(match.left).toBe(1);
  expect(match.wrong).toBeNull();
  expect(
    match.parts
      .filter(({ right }) => right)
      .map(({ text }) => text)
      .join(''),
  ).toBe('วิภาดา กันทะวง');
});

it('says which letter is the first that is wrong', () => {
  expect(matchName('วิภาดา กัณ', 'วิภาดา กันทะวงศ์').wrong).toEqual({ own: 'น', typed: 'ณ' });
  expect(matchName('วิภาดา กันทะวงศ์ก', 'วิภาดา กันทะวงศ์').wrong).toEqual({ own: '', typed: 'ก' });
});

it('does not mind a title, and what a company is called before its name', () => {
  expect(matchName('น.ส.วิภาดา กันทะวงศ์', 'วิภาดา กันทะวงศ์').left).toBe(0);
  expect(matchName('บจก. ฟ้าเหนือทัวร์', 'บริษัท ฟ้าเหนือทัวร์ จำกัด')).toMatchObject({ left: 0, wrong: null });
});
