import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { termsOfSite } from './terms.ts';

const site: SiteDetails = { id: 's', org_id: 'o', name: 'Hemma', created_at: '2026-01-01T00:00:00Z', devices: [] };
const inMora = { latitude: 61, longitude: 14.54 };

for (const { says, of, terms } of [
  {
    says: 'its position, by which its energy tax is told',
    of: { price_area: 'SE3', ...inMora },
    terms: { area: 'SE3', lat: 61, lon: 14.54 },
  },
  {
    says: 'its tariff',
    of: { price_area: 'SE3', tariff_id: 't', ...inMora },
    terms: { area: 'SE3', lat: 61, lon: 14.54, tariff_id: 't' },
  },
  { says: 'its area alone', of: { price_area: 'SE3' }, terms: { area: 'SE3' } },
  { says: 'no half of a position', of: { price_area: 'SE3', latitude: 61 }, terms: { area: 'SE3' } },
  { says: 'nothing without an area', of: inMora, terms: undefined },
]) {
  test(`the price of a site is asked for with ${says}`, () => {
    assert.deepEqual(termsOfSite({ ...site, ...of }), terms);
  });
}
