import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '#contract/client.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { Problem, type ProblemCode } from '#contract/problem.ts';
import { contractTerms, loadTotal, loadTotalIfKnown, type PriceTerms, termsOfSite } from './total-price.ts';

const site: SiteDetails = { id: 's', org_id: 'o', name: 'Hemma', created_at: '2026-01-01T00:00:00Z', devices: [] };
const inMora = { latitude: 61, longitude: 14.54 };

for (const { says, of, terms } of [
  {
    says: 'its position, which determines the energy tax',
    of: { price_area: 'SE3', ...inMora },
    terms: { area: 'SE3', lat: 61, lon: 14.54 },
  },
  {
    says: 'its tariff',
    of: { price_area: 'SE3', tariff_id: 't', ...inMora },
    terms: { area: 'SE3', lat: 61, lon: 14.54, tariff_id: 't' },
  },
  { says: 'its area alone', of: { price_area: 'SE3' }, terms: { area: 'SE3' } },
  { says: 'no incomplete position', of: { price_area: 'SE3', latitude: 61 }, terms: { area: 'SE3' } },
  { says: 'nothing without an area', of: inMora, terms: undefined },
]) {
  test(`the price terms of a site have ${says}`, () => {
    assert.deepEqual(termsOfSite({ ...site, ...of }), terms);
  });
}

test('the price terms of a site have those of its contract', () => {
  const periods: ContractPeriod[] = [
    { valid_from: '2026-01-01', pricing: 'spot', markup_per_kwh: 0.06, vat_percent: 24, tariff_id: 'own' },
    { valid_from: '2026-07-01', pricing: 'fixed', fixed_price_per_kwh: 1, markup_per_kwh: 0.02 },
  ];
  const termsOn = (today: string) =>
    termsOfSite({ ...site, price_area: 'SE3', tariff_id: 't' }, contractTerms(periods, today));
  assert.deepEqual(termsOn('2025-12-31'), { area: 'SE3', tariff_id: 't' });
  assert.deepEqual(termsOn('2026-06-30'), { area: 'SE3', tariff_id: 'own', markup: 0.06, vat: 24 });
  assert.deepEqual(termsOn('2026-07-01'), { area: 'SE3', tariff_id: 't' });
});

const price = { area: 'SE3', intervals: [] };
const terms: PriceTerms = { area: 'SE3', tariff_id: 'tariff-of-last-year', vat: 25 };

/** Returns a client that knows prices only without a tariff. */
function pricesWithout(problem: Problem) {
  const asked: PriceTerms[] = [];
  const call = async (_route: unknown, { query }: { query: PriceTerms }) => {
    asked.push(query);
    if (query.tariff_id !== undefined) throw problem;
    return price;
  };
  return { asked, from: { call } as unknown as Pick<Client, 'call'> };
}

const load = (from: Pick<Client, 'call'>, given: PriceTerms) =>
  loadTotal(from, { resolution: 'PT60M' }, given, new AbortController().signal);

for (const code of ['unprocessable', 'not_found'] as const) {
  test(`a tariff without a price (${code}) is left out and reported`, async () => {
    const refusal = new Problem(code, 'It is not known on that day.');
    const { from, asked } = pricesWithout(refusal);
    assert.deepEqual(await load(from, terms), { price, terms: { area: 'SE3', vat: 25 }, refusal });
    assert.deepEqual(asked.at(-1), { area: 'SE3', vat: 25, resolution: 'PT60M' });
  });
}

test('an unknown price is undefined, and an unavailable service is an error', async () => {
  const known = (code: ProblemCode) => {
    const from = { call: () => Promise.reject(new Problem(code, 'No.')) } as unknown as Pick<Client, 'call'>;
    return loadTotalIfKnown(from, {}, { area: 'SE3' }, new AbortController().signal);
  };
  assert.equal(await known('not_found'), undefined);
  await assert.rejects(known('unavailable'), { code: 'unavailable' });
});

test('the tariff is not left out if the service is unavailable', async () => {
  const { from, asked } = pricesWithout(new Problem('unavailable', 'It does not answer.'));
  await assert.rejects(load(from, terms), { code: 'unavailable' });
  assert.equal(asked.length, 1);
});
