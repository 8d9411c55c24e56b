import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { minuteMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createHouse } from '#sim/house.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { until } from '#test/until.ts';
import { endOfHistory, historyReadings, startBackfill } from './history.ts';
import { demoDevices, homeModel } from './house.ts';

const end = Date.UTC(2026, 5, 21, 11, 0, 31);
const isTotal = (name: string): boolean => name.startsWith('total_');

suite('the simulated history of the home', () => {
  const readings = [...historyReadings(end)];
  const parsed = readings.map(({ sn, kind, json }) => ({ der: `${sn}/${kind}`, ...JSON.parse(json) }));
  const names = [...new Set(parsed.map(({ der }) => der))];

  test('has one reading per minute of each DER since a midnight more than two days ago, all marked as simulated', () => {
    assert.equal(names.length, 6);
    assert.deepEqual(
      names.map((der) => parsed.filter((one) => one.der === der).length),
      names.map(() => 59 * 60),
    );
    assert.equal(parsed[0].timestamp, Date.UTC(2026, 5, 19));
    assert.equal(parsed.at(-1).timestamp, Date.UTC(2026, 5, 21, 10, 59));
    assert.ok(parsed.every(({ make, timestamp }) => make === 'Simulated' && timestamp % minuteMs === 0));
  });

  test('is the same every time', () => {
    assert.deepEqual([...historyReadings(end)], readings);
  });

  test('has counters that only grow, and from which the home continues', () => {
    const home = createHouse({ ...homeModel, clock: { now: () => end }, start: endOfHistory(end) });
    for (const { sn, part, ders, countWh } of demoDevices) {
      const { Wh } = part(home).at(end);
      const shown = Object.values(Wh).map((count) => Math.round(count / countWh) * countWh);
      for (const { kind } of ders) {
        const own = parsed.filter(({ der }) => der === `${sn}/${kind}`);
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
    const roof_W = parsed.filter(({ der }) => der === 'SIMSUNGROW0001/pv').map(({ W }): number => W);
    assert.ok(Math.max(...roof_W) === 0 && Math.min(...roof_W) < -2000, `${Math.min(...roof_W)} W`);
  });
});

test('a backfill ends when the broker closes the connection, and does not delay closing', async (t) => {
  let taken = 0;
  const broker = await startMqttBroker({ authorizePublish: () => void taken++ }); // never answers
  t.after(() => broker.close());
  const lines: string[] = [];
  const backfill = startBackfill({
    until: systemClock.now(),
    identity: { serial: 'gw-1', brokerToken: async () => 'token' },
    mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
    ders: [],
    api: createClient({ baseUrl: 'http://127.0.0.1:1' }),
    enterPastYear: async () => {},
    onStored: () => assert.fail('nothing was stored'),
    clock: systemClock,
    log: createLog({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } }),
  });
  await until(() => taken > 0);
  broker.cut();
  await until(() => lines.some((line) => line.includes('failed to backfill the history')));
  await backfill.close();
});
