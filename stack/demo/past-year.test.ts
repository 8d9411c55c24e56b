import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { pastYear } from './past-year.ts';

const until = Date.UTC(2026, 5, 19);

suite('the past year of the demo home', () => {
  const months = [...pastYear(until)];
  const sumOf = (energy: Float64Array): number => energy.reduce((sum, Wh) => sum + Wh, 0);
  const der = (month: number, sn: string, kind: string) =>
    months[month]?.ders.find((one) => one.sn === sn && one.kind === kind);

  test('has 13 whole months and the current one, without gaps', () => {
    assert.equal(months.length, 14);
    assert.equal(months[0]?.from, Date.UTC(2025, 4, 1));
    for (const [n, { from, ders }] of months.entries()) {
      const end = months[n + 1]?.from ?? until;
      for (const { in: inward } of ders) assert.equal(from + inward.length * quarterMs, end);
    }
  });

  test('balances in every quarter: the load is never negative', () => {
    for (const { ders } of months) {
      const count = ders[0]?.in.length ?? 0;
      for (let i = 0; i < count; i++) {
        let load = 0;
        for (const { sn, kind, in: inward, out } of ders) {
          if (sn === '99000001') continue; // the sub-meter measures a part of the load
          const net = (inward[i] ?? 0) - (out[i] ?? 0);
          load += kind === 'meter' ? net : -net;
        }
        assert.ok(load >= 0, `${load} Wh`);
      }
    }
  });

  test('has no battery before March, and a summer that exports', () => {
    assert.equal(der(9, 'SIMSUNGROW0001', 'battery'), undefined, 'February');
    assert.ok(sumOf(der(10, 'SIMSUNGROW0001', 'battery')?.in ?? new Float64Array()) > 50_000, 'March');
    const [july, january] = [der(2, 'p1_meter', 'meter'), der(8, 'p1_meter', 'meter')];
    assert.ok(july && january && sumOf(july.out) > 20 * sumOf(january.out));
    assert.ok(july && january && sumOf(january.in) > 4 * sumOf(july.in));
  });

  test('is the same every time', () => {
    assert.deepEqual([...pastYear(until)].at(-1), months.at(-1));
    assert.deepEqual([...pastYear(until + dayMs)][3], months[3]);
  });
});
