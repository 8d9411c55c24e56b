import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPreview, readSelection } from './selection.ts';

const own = { area: 'SE3', tariffId: 'home', providerId: 'near' };
const nothing = { area: undefined, tariffId: undefined, providerId: undefined, markup: undefined, vat: undefined };

for (const { says, query, of, seen } of [
  { says: 'the place itself when nothing is asked', query: '', of: own, seen: { area: 'SE3', tariffId: 'home' } },
  { says: 'nothing of nowhere', query: '', of: {}, seen: {} },
  { says: 'another area', query: 'area=no1', of: own, seen: { area: 'NO1', tariffId: 'home' } },
  { says: 'the place without its tariff', query: 'tariff=none', of: own, seen: { area: 'SE3', providerId: 'near' } },
  { says: 'the place without its operator', query: 'provider=none&tariff=none', of: own, seen: { area: 'SE3' } },
  {
    says: 'a tariff and its grid operator',
    query: 'provider=far&tariff=other',
    of: own,
    seen: { area: 'SE3', providerId: 'far', tariffId: 'other' },
  },
  {
    says: 'the grid operator of the position when there is no tariff',
    query: '',
    of: { area: 'SE3', providerId: 'near' },
    seen: { area: 'SE3', providerId: 'near' },
  },
  { says: 'a markup and a tax', query: 'markup=-0.05&vat=24', of: {}, seen: { markup: -0.05, vat: 24 } },
  { says: 'no markup or tax that is none', query: 'markup=much&vat=101', of: {}, seen: {} },
  { says: 'no markup when it is empty', query: 'markup=&vat=+', of: {}, seen: {} },
]) {
  test(`the address shows ${says}`, () => {
    assert.deepEqual(readSelection(new URLSearchParams(query), of), { ...nothing, ...seen });
  });
}

test('area and tariff can be kept for a site when they are not its own', () => {
  assert.equal(isPreview(readSelection(new URLSearchParams('markup=1'), own), own), false);
  assert.equal(isPreview(readSelection(new URLSearchParams('area=SE4'), own), own), true);
  assert.equal(isPreview(readSelection(new URLSearchParams('tariff=none'), own), own), true);
});
