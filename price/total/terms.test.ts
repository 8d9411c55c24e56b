import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPrice } from '#test/price/open-price.ts';

test('a position outside all maps does not override the named area', async () => {
  await using price = await openPrice();
  const { status, body } = await price.get('/price/total?area=DE&lat=52.52&lon=13.40');
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body, (await price.get('/price/total?area=DE')).body);
});

test('a remote island has the area of the coast of its municipality', async () => {
  await using price = await openPrice();
  const { status, body } = await price.get('/price/total?lat=59.754&lon=19.407'); // Söderarm, 20 km from the nearest zone
  assert.deepEqual([status, body.area], [200, 'SE3']);
});
