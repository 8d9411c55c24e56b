import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';

onEachEngine('the contract of a site', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org);
  const path = `/sites/${site}/contract`;
  const spot = { valid_from: '2026-01-01', pricing: 'spot', supplier: 'Elbolaget', markup_per_kwh: 0.05 };
  const fixed = { valid_from: '2026-06-01', pricing: 'fixed', fixed_price_per_kwh: 0.8, monthly_fee: 39 };
  const put = (periods: unknown, headers: Record<string, string> = {}) =>
    cloud.call('PUT', path, { as: ada, body: { periods }, headers });

  test('is empty until it is set, and can be replaced and cleared', async () => {
    assert.deepEqual((await cloud.call('GET', path, { as: ada })).body, { site_id: site, periods: [] });
    assert.deepEqual((await put([spot, fixed])).body, { site_id: site, periods: [spot, fixed] });
    assert.deepEqual((await cloud.call('GET', path, { as: ada })).body, { site_id: site, periods: [spot, fixed] });
    assert.deepEqual((await put([])).body, { site_id: site, periods: [] });
  });

  test('is replaced only if it is still the one that was read', async () => {
    await put([spot]);
    const { headers } = await cloud.call('GET', path, { as: ada });
    const etag = String(headers.etag);
    assert.equal((await put([fixed], { 'if-match': etag })).status, 200);
    assert.equal((await put([spot], { 'if-match': etag })).status, 412);
    assert.deepEqual((await cloud.call('GET', path, { as: ada })).body, { site_id: site, periods: [fixed] });
  });

  for (const { says, periods, status, path: field } of [
    { says: 'two periods of a day', periods: [spot, spot], status: 422, path: 'body.periods.1.valid_from' },
    { says: 'periods out of order', periods: [fixed, spot], status: 422, path: 'body.periods.1.valid_from' },
    {
      says: 'a fixed price without the price',
      periods: [{ ...spot, pricing: 'fixed' }],
      status: 422,
      path: 'body.periods.0.fixed_price_per_kwh',
    },
    { says: 'an unknown field', periods: [{ ...spot, fee: 1 }], status: 400, path: 'body.periods.0.fee' },
    {
      says: '51 periods',
      periods: Array.from({ length: 51 }, (_, n) => ({ ...spot, valid_from: `20${10 + n}-01-01` })),
      status: 400,
      path: 'body.periods',
    },
  ]) {
    test(`${says} are refused by name`, async () => {
      const reply = await put(periods);
      assert.equal(reply.status, status);
      assert.equal(reply.body.errors[0].path, field);
    });
  }

  test('is in the audit log, and ends with the site', async () => {
    await put([spot]);
    const { body: entries } = await cloud.call('GET', `/organizations/${org}/audit`, { as: ada });
    assert.deepEqual(
      [entries[0].action, entries[0].object, entries[0].details],
      ['site.changed', site, { fields: ['contract'] }],
    );
    assert.equal((await cloud.call('DELETE', `/sites/${site}`, { as: ada })).status, 204);
    assert.equal((await cloud.call('GET', path, { as: ada })).status, 404);
  });
});
