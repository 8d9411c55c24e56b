import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tariffRoutes as tariffContract } from '#contract/price/tariffs.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import type { Component } from './eltariff.ts';
import { openPlaces, shippedPlaces } from './places/places.ts';
import { tariffRoutes } from './routes.ts';
import { createOpenServer, readShipped } from './testing/tariffs.ts';

const tariffs = await readShipped();
const { app, mount } = createOpenServer();
tariffRoutes(mount, tariffContract, {
  tariffs,
  places: openPlaces({ folder: shippedPlaces }),
  clock: createFakeClock(Date.UTC(2026, 10, 15, 12)),
  priceOf: async ({ price }) => price,
});
after(() => app.close());

const get = async (url: string) => ({ body: (await app.inject(url)).json() });
const karlstad = '7a53c569-4537-5e9a-8903-0084760c1105';
const gnm63 = (year: number) =>
  tariffs
    .book()
    .findProvider('goteborg_energi_nat')!
    .tariffs.find(
      ({ product, validPeriod }) => product === 'GNM63' && validPeriod.fromIncluding.startsWith(`${year}`),
    )!;

test('an expired tariff without a successor keeps its last known prices and is marked as assumed', async () => {
  const validPeriod = { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' };
  assert.equal((await get(`/price/tariffs/tariff/${karlstad}`)).body.assumed, true);
  const ask = async (time: string) => (await get(`/price/tariffs/tariff/${karlstad}/powerPrice/${time}`)).body;
  const names = ({ components }: { components: Component[] }) => components.map(({ name }) => name);
  for (const [time, found] of [
    ['2026-12-09T08:30:00', ['Effektavgift', 'Effektavgift höglast']], // a Wednesday
    ['2026-12-12T08:30:00', ['Effektavgift']], // a Saturday
    ['2026-07-01T08:30:00', ['Effektavgift']], // summer
    ['2027-03-25T08:30:00', ['Effektavgift']], // Maundy Thursday
    ['2028-02-29T08:30:00', ['Effektavgift', 'Effektavgift höglast']],
  ] as const) {
    const body = await ask(time);
    assert.deepEqual([names(body), body.assumed, body.validPeriod], [found, true, validPeriod], time);
  }
  const inForce = await ask('2025-12-10T08:30:00');
  assert.deepEqual([inForce.assumed, inForce.validPeriod], [undefined, undefined]);
  const before = await ask('2024-12-10T08:30:00');
  assert.deepEqual([before.components, before.assumed], [[], undefined]);
});

test('the successor of an expired tariff is the newest one, even if that has expired, too', async () => {
  const old = (await get(`/price/tariffs/tariff/${gnm63(2025).id}/powerPrice/2028-02-01T12:00:00`)).body;
  assert.deepEqual([old.components, old.assumed, old.successor.id], [[], undefined, gnm63(2026).id]);
  const newest = (await get(`/price/tariffs/tariff/${gnm63(2026).id}/powerPrice/2028-02-01T12:00:00`)).body;
  assert.deepEqual([newest.components.length, newest.assumed, newest.successor], [1, true, undefined]);
});
