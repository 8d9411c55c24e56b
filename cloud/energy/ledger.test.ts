import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { engines } from '#test/cloud/open-cloud.ts';
import { importDays } from './enrol.ts';
import type { Ledger } from './ledger.ts';
import { type HomeDer, openLedgerHome } from './testing/ledger-home.ts';
import { sumOf } from './testing/sum-of.ts';

const start = Date.parse('2026-06-01T10:00:00Z');
const meter: HomeDer = { no: 11, derType: 'meter', deviceType: 'energy_meter' };
const solar: HomeDer = { no: 12, derType: 'solar', deviceType: 'inverter' };

/** Readings of a constant import of 4 kW, whose register counts 1 Wh every 0.9 s. */
const importing = (from: number, to: number, stepMs = 10_000, der = meter) => {
  const readings: { der: HomeDer; at: number; values: { W: number; in: number } }[] = [];
  for (let at = from; at < to; at += stepMs) {
    readings.push({ der, at, values: { W: 4000, in: Math.floor(1000 + ((at - start) * 4000) / hourMs) } });
  }
  return readings;
};

/** Lets time pass until nothing is left to do. */
async function settle(clock: { advance(ms: number): void }, ledger: Ledger): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++) {
    clock.advance(5000);
    await ledger.work();
    if (ledger.figures.due + ledger.figures.behind === 0) return;
  }
  throw new Error(`The ledger does not come to rest: ${JSON.stringify(ledger.figures)}`);
}

for (const { engine, skip } of engines) {
  describe(`the ledger on ${engine}`, { skip }, () => {
    test('readings become quarters, including those that are not written yet', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      await home.addSite('house', [meter, solar]);
      const ledger = home.open();
      await home.send(ledger, 'house', importing(start, start + hourMs + minuteMs));
      home.clock.set(start + hourMs + minuteMs);
      const { series, coveredS } = await home.quarters(ledger, 'house', start, start + 2 * hourMs);
      assert.deepEqual(Array.from(series.import.subarray(0, 4)), [1000, 1000, 1000, 1000]);
      assert.deepEqual(Array.from(series.load.subarray(0, 4)), [1000, 1000, 1000, 1000]);
      assert.deepEqual(Array.from(coveredS.subarray(0, 6)), [900, 900, 900, 900, 50, 0]);
      await ledger.stop();
      assert.deepEqual(
        await home.quarters(undefined, 'house', start, start + 2 * hourMs),
        await home.quarters(ledger, 'house', start, start + 2 * hourMs),
      );
    });

    test('a process that starts continues where the last one stopped, was killed, or was not there', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      await home.addSite('house', [meter]);
      const first = home.open();
      await home.send(first, 'house', importing(start, start + 20 * minuteMs));
      await first.stop();
      const second = home.open();
      await home.send(second, 'house', importing(start + 20 * minuteMs, start + 70 * minuteMs));
      await second.write(); // then it is killed
      await home.store(importing(start + 70 * minuteMs, start + 80 * minuteMs));
      const third = home.open();
      home.clock.set(start + 2 * hourMs);
      await home.send(third, 'house', importing(start + 80 * minuteMs, start + 2 * hourMs));
      const { series, estimated, coveredS } = await home.quarters(third, 'house', start, start + 2 * hourMs);
      assert.deepEqual(Array.from(series.import.subarray(0, 7)), Array(7).fill(1000));
      assert.equal(sumOf(estimated), 0);
      assert.deepEqual(Array.from(coveredS.subarray(0, 7)), Array(7).fill(900));
      await third.stop();
    });

    test('a platform without DERs starts no thread, which would take 16 MB', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      let threads = 0;
      const count = (): void => void threads++;
      process.on('worker', count);
      t.after(() => process.off('worker', count));
      const ledger = home.open();
      await ledger.sweep();
      assert.equal(threads, 0);
      await ledger.stop();
    });

    test('a DER that is deleted before its readings are entered keeps its energy, and only its days are read', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      await home.addSite('house', [meter]);
      let reads = 0;
      const readings: typeof home.telemetry.readings = (...range) => {
        reads++;
        return home.telemetry.readings(...range);
      };
      const ledger = home.open({ telemetry: { ...home.telemetry, readings } });
      await home.send(ledger, 'house', importing(start, start + hourMs));
      await home.registry.write(({ db }) => db.deleteFrom('ders').where('no', '=', meter.no).execute());
      home.clock.set(start + hourMs);
      await ledger.work();
      assert.ok(reads > 0 && reads < 5, `${reads} parts were read`);
      const { series } = await home.quarters(ledger, 'house', start, start + hourMs);
      assert.deepEqual(Array.from(series.import.subarray(0, 3)), [1000, 1000, 1000]);
      await ledger.stop();
    });

    test('energy that is imported while readings are folded stays', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      await home.addSite('house', [meter]);
      const hour = (from: number) =>
        importDays(home.registry, 'house', from, [
          { der_id: 'der-11', in: new Float64Array(4).fill(700), out: new Float64Array(4) },
        ]);
      await hour(start - 5 * hourMs);
      const readWhileImporting = async (...asked: Parameters<typeof home.telemetry.readings>) => {
        await hour(start - 4 * hourMs);
        return home.telemetry.readings(...asked);
      };
      const telemetry = { ...home.telemetry, readings: readWhileImporting };
      const ledger = home.open({ telemetry });
      await home.send(ledger, 'house', importing(start, start + 20 * minuteMs));
      await settle(home.clock, ledger);
      const { series } = await home.quarters(ledger, 'house', start - 5 * hourMs, start + quarterMs);
      assert.deepEqual(Array.from(series.import), [...Array(8).fill(700), ...Array(12).fill(0), 1000]);
      await ledger.stop();
    });

    test('late readings correct what was estimated', async (t) => {
      const home = await openLedgerHome(t, { engine, now: start });
      await home.addSite('house', [meter]);
      const ledger = home.open();
      const all = importing(start, start + 3 * hourMs);
      const isLate = ({ at }: { at: number }): boolean => at > start + 50 * minuteMs && at < start + 95 * minuteMs;
      await home.send(
        ledger,
        'house',
        all.filter((reading) => !isLate(reading)),
      );
      home.clock.set(start + 3 * hourMs);
      await ledger.write();
      const before = await home.quarters(ledger, 'house', start, start + 3 * hourMs);
      assert.ok(sumOf(before.estimated) > 2500);
      await home.send(ledger, 'house', all.filter(isLate).toReversed());
      await settle(home.clock, ledger);
      const { series, estimated, coveredS } = await home.quarters(ledger, 'house', start, start + 3 * hourMs);
      assert.deepEqual(Array.from(series.import.subarray(0, 11)), Array(11).fill(1000));
      assert.equal(sumOf(estimated), 0);
      assert.equal(sumOf(coveredS), 3 * 3600 - 10);
      assert.deepEqual(ledger.figures.due, 0);
      const marks = await home.registry.db.selectFrom('energy_due').selectAll().execute();
      assert.deepEqual(marks, []);
      await ledger.stop();
    });
  });
}
