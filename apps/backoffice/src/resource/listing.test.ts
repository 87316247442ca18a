// @vitest-environment node
import { expect, it } from 'vitest';
import { bodyOf } from './listing.ts';
import { defineResource } from './resource.ts';

const text = { id: 'text' };
const resource = defineResource<'salepackage'>({
  table: 'salepackage',
  module: 'salepackage',
  path: 'packagelist',
  menu: { group: 'products', place: 10 },
  title: text,
  one: text,
  name: () => '',
  columns: [],
  filters: [
    { name: 'price_satang', title: text, kind: 'money' },
    { name: 'sale_to', title: text, kind: 'instant' },
    { name: 'featured', title: text, kind: 'yes' },
    { name: 'status', title: text, kind: 'choice', number: true, choices: [{ value: '5', title: text }] },
    { name: 'sold', title: text, kind: 'option', list: 'salechannel' },
  ],
  views: [
    { title: text, filter: {} },
    { title: text, filter: { status: [1] } },
  ],
  empty: { title: text, line: text },
});

it('puts the search, sort, filters and page of the address into the call', () => {
  const params = { q: ' นวด ', sort: '-sold', price_satang: '30000..800000', featured: 'true', after: 'x' };
  expect(bodyOf(resource, params, 50)).toEqual({
    filter: { price_satang: { from: 30_000, to: 800_000 }, featured: true },
    search: 'นวด',
    sort: '-sold',
    after: 'x',
    limit: 50,
  });
});

it('takes whole days of Bangkok', () => {
  expect(bodyOf(resource, { sale_to: '..2026-12-31' }, 50).filter).toEqual({
    sale_to: { to: '2026-12-31T23:59:59.999999+07:00' },
  });
});

it('asks for rows of an option list by their numbers', () => {
  expect(bodyOf(resource, { sold: '3,1' }, 50).filter).toEqual({ sold: [3, 1] });
});

it('leaves out mistyped and unknown parameters', () => {
  const params = { price_satang: 'cheap', status: '7', sold: 'agent', colour: 'red' };
  expect(bodyOf(resource, params, 25)).toEqual({ limit: 25 });
});

it('puts a tab beneath the filters', () => {
  expect(bodyOf(resource, { view: '1', status: '5' }, 50).filter).toEqual({ status: [5] });
  expect(bodyOf(resource, { view: '1' }, 50).filter).toEqual({ status: [1] });
});
