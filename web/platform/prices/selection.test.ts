import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPreview, readSelection } from './selection.ts';

const own = { area: 'SE3', tariffId: 'home', providerId: 'near' };
const nothing = { area: undefined, tariffId: undefined, providerId: undefined, markup: undefined, vat: undefined };

for (const { says, query, of, seen } of [
  { says: 'the defaults without a query', query: '', of: own, seen: { area: 'SE3', tariffId: 'home' } },
  { says: 'nothing without defaults', query: '', of: {}, seen: {} },
  { says: 'another area', query: 'area=no1', of: own, seen: { area: 'NO1', tariffId: 'home' } },
  { says: 'the defaults without the tariff', query: 'tariff=none', of: own, seen: { area: 'SE3', providerId: 'near' } },
  {
    says: 'the defaults without the grid operator',
    query: 'provider=none&tariff=none',
    of: own,
    seen: { area: 'SE3' },
  },
  {
    says: 'a tariff and its grid operator',
    query: 'provider=far&tariff=other',
    of: own,
    seen: { area: 'SE3', providerId: 'far', tariffId: 'other' },
  },
  {
    says: 'the grid operator at the position of a home without a tariff',
    query: '',
    of: { area: 'SE3', providerId: 'near' },
    seen: { area: 'SE3', providerId: 'near' },
  },
  { says: 'markup and VAT', query: 'markup=-0.05&vat=24', of: {}, seen: { markup: -0.05, vat: 24 } },
  { says: 'the markup of the contract', query: '', of: { markup: 0.06, vat: 24 }, seen: { markup: 0.06, vat: 24 } },
  { says: 'another markup', query: 'markup=0', of: { markup: 0.06 }, seen: { markup: 0 } },
  { says: 'no invalid markup or VAT', query: 'markup=much&vat=101', of: {}, seen: {} },
  { says: 'no empty markup', query: 'markup=&vat=+', of: {}, seen: {} },
]) {
  test(`the query selects ${says}`, () => {
    assert.deepEqual(readSelection(new URLSearchParams(query), of), { ...nothing, ...seen });
  });
}

test('a selection that differs from the site settings is a preview', () => {
  assert.equal(isPreview(readSelection(new URLSearchParams('markup=1'), own), own), false);
  assert.equal(isPreview(readSelection(new URLSearchParams('area=SE4'), own), own), true);
  assert.equal(isPreview(readSelection(new URLSearchParams('tariff=none'), own), own), true);
});
