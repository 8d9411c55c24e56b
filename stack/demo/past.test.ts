import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { minuteMs } from '#contract/time.ts';
import { createHouse } from '#sim/house.ts';
import { endOfPast, pastReadings } from './history.ts';
import { demoDevices, homeModel } from './house.ts';

const until = Date.UTC(2026, 5, 21, 11, 0, 31);
const isTotal = (name: string): boolean => name.startsWith('total_');

suite('the past of the home', () => {
  const readings = [...pastReadings(until)];
  const told = readings.map(({ sn, kind, json }) => ({ place: `${sn}/${kind}`, ...JSON.parse(json) }));
  const places = [...new Set(told.map(({ place }) => place))];

  test('is a reading a minute of each DER for two days, all of which say that they are simulated', () => {
    assert.equal(places.length, 6);
    assert.deepEqual(
      places.map((place) => told.filter((one) => one.place === place).length),
      places.map(() => 48 * 60 - 1),
    );
    assert.equal(told[0].timestamp, Date.UTC(2026, 5, 19, 11, 1));
    assert.equal(told.at(-1).timestamp, Date.UTC(2026, 5, 21, 10, 59));
    assert.ok(told.every(({ make, timestamp }) => make === 'Simulated' && timestamp % minuteMs === 0));
  });

  test('is told alike whenever it is told', () => {
    assert.deepEqual([...pastReadings(until)], readings);
  });

  test('has counters that only grow, and the home goes on from them', () => {
    const home = createHouse({ ...homeModel, clock: { now: () => until }, start: endOfPast(until) });
    for (const { sn, part, ders, countWh } of demoDevices) {
      const { Wh } = part(home).at(until);
      const shown = Object.values(Wh).map((count) => Math.round(count / countWh) * countWh);
      for (const kind of Object.keys(ders)) {
        const own = told.filter(({ place }) => place === `${sn}/${kind}`);
        const totals = Object.keys(own[0]).filter(isTotal);
        assert.ok(totals.length > 0);
        for (const name of totals) {
          const counts = own.map((reading): number => reading[name]);
          assert.ok(
            counts.every((count, index) => index === 0 || count >= counts[index - 1]!),
            `${sn} ${name}`,
          );
          const [last] = counts.slice(-1) as [number];
          assert.ok(
            shown.some((now) => now >= last && now - last <= Math.max(countWh, 1000)),
            `${sn} ${name} ended at ${last}`,
          );
        }
      }
    }
  });

  test('has a night and a day', () => {
    const roof_W = told.filter(({ place }) => place === 'SIMSUNGROW0001/pv').map(({ W }): number => W);
    assert.ok(Math.max(...roof_W) === 0 && Math.min(...roof_W) < -2000, `${Math.min(...roof_W)} W`);
  });
});
