import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { eltariffRoutes } from './eltariff-routes.ts';
import { createOpenServer, readShipped } from './testing/tariffs.ts';

const tariffs = await readShipped();
const { app, mount } = createOpenServer();
eltariffRoutes(mount, { tariffs, clock: createFakeClock(Date.UTC(2026, 10, 15, 12)) });
after(() => app.close());

const get = async (url: string) => {
  const { statusCode, body } = await app.inject({ method: 'GET', url });
  return { status: statusCode, body: JSON.parse(body) };
};

const ofGoteborg = tariffs
  .book()
  .findProvider('goteborg_energi_nat')!
  .tariffs.find(({ product, validPeriod }) => product === 'GNM63' && validPeriod.fromIncluding === '2026-01-01')!;
const karlstad = '7a53c569-4537-5e9a-8903-0084760c1105';
const nobody = '00000000-0000-4000-8000-000000000000';

test('the information names the operator and the source of the prices', async () => {
  const { body } = await get('/eltariff/degerfors_elnat/info');
  assert.equal(body.operator, 'Degerfors Elnät AB');
  assert.deepEqual([body.apiVersion, body.timeZone, body.source.confidence], ['0.2.0', 'Europe/Stockholm', 'high']);
  assert.match(body.source.caveat, /normal time/);
});

test('the list contains all tariffs with their calendar patterns', async () => {
  const { body } = await get('/eltariff/karlstads-elnat/tariffs');
  const { tariffs: own, calendarPatterns } = tariffs.book().findProvider('karlstads_elnat')!;
  assert.deepEqual(body, { tariffs: own, calendarPatterns });
  const holidays = calendarPatterns.find(({ reference }) => reference === 'holidays');
  assert.ok(holidays?.dates?.includes('2025-04-17'), 'Maundy Thursday');
});

test('a tariff is found only at its own operator', async () => {
  const { body } = await get(`/eltariff/karlstads_elnat/tariffs/${karlstad}`);
  assert.deepEqual(body, { tariff: tariffs.book().findTariff(karlstad)!.tariff });
  assert.equal((await get(`/eltariff/ellevio/tariffs/${karlstad}`)).status, 404);
});

const component = '89692c76-9234-569a-879b-76583d031caf'; // high load, November and December, working days 06-18
const prices = `/eltariff/karlstads_elnat/prices/${component}`;

test('the prices of a component cover the hours in which it is in force', async () => {
  const { body } = await get(`${prices}?fromIncluding=2025-12-24T00:00:00&toExcluding=2025-12-30T00:00:00`);
  const { componentId, resolution, prices: entries } = body.priceList;
  assert.deepEqual([componentId, resolution, entries.length], [component, 'PT1H', 12]); // of 29 December alone
  assert.deepEqual(entries[0], {
    timestamp: '2025-12-29T06:00:00',
    priceExVat: 59.32,
    priceIncVat: 74.15,
    currency: 'SEK',
  });
});

test('the default range is seven days from today', async () => {
  const main = ofGoteborg.powerPrice.components[0]!.id;
  const { body } = await get(`/eltariff/goteborg_energi_nat/prices/${main}`);
  assert.equal(body.priceList.prices.length, 7 * 24);
  assert.equal(body.priceList.prices[0].timestamp, '2026-11-15T00:00:00');
});

test('days of 23 and 25 hours are complete', async () => {
  const main = ofGoteborg.powerPrice.components[0]!.id;
  for (const [date, next, hours] of [
    ['2026-03-29', '2026-03-30', 23],
    ['2026-10-25', '2026-10-26', 25],
  ]) {
    const url = `/eltariff/goteborg_energi_nat/prices/${main}?fromIncluding=${date}T00:00:00&toExcluding=${next}T00:00:00`;
    assert.equal((await get(url)).body.priceList.prices.length, hours);
  }
});

for (const [path, status] of [
  ['/eltariff/nobody/info', 404],
  ['/eltariff/..%2fellevio/tariffs', 404],
  [`/eltariff/karlstads_elnat/prices/${nobody}`, 404],
  [`${prices}?fromIncluding=today`, 400],
  [`${prices}?fromIncluding=2025-12-24T00:00:00&toExcluding=2025-12-23T00:00:00`, 400],
  [`${prices}?fromIncluding=2025-12-24T00:00:00&toExcluding=2028-12-23T00:00:00`, 400],
] as const) {
  test(`${path} is ${status}`, async () => assert.equal((await get(path)).status, status));
}

test('the prices of a spot-linked component are not available here', async () => {
  const spot = tariffs
    .book()
    .findProvider('brittedals_elnat')!
    .tariffs[0]!.energyPrice.components.find(({ type }) => type === 'spot')!;
  assert.equal((await get(`/eltariff/brittedals_elnat/prices/${spot.id}`)).status, 501);
});
