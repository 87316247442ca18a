import { expect, it } from 'vitest';
import { monogram } from './monogram.ts';

it.each([
  ['Doi Coffee', 'DC'],
  ['Yimwan', 'Yi'],
  ["Joe's Bar", 'JB'],
  ['เรือนละไม สปา', 'รส'],
  ['ร้านกาแฟดอย', 'กฟ'],
  ['โรงแรมสาทรวารี', 'สท'],
  ['บริษัท วี เลิฟ เวาเชอร์ จำกัด', 'วล'],
  ['คลินิก ยิ้ม', 'ยม'],
  ['ไอศกรีมยิ้มหวาน', 'อศ'],
  ['โรงแรม', 'รง'],
  ['ล้าน\u2060นา สปา', 'ลส'],
  ['7 Seas', '7S'],
  ['ก', 'ก'],
  ['😀', '😀'],
  ['😀 ร้านทดสอบ', 'รน'],
  ['เ', 'เ'],
  ['', ''],
])('stands for %j by two letters, without what kind of business it is', (name, letters) => {
  expect(monogram(name)).toBe(letters);
});
