import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultAlertRules } from '#contract/cloud/alerts.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { lowBatteries, nearFuse, outdatedGateways, silentDevices, silentGateways } from './conditions.ts';
import { negativeTomorrow, type PriceStep, priceBeyond } from './prices.ts';
import { quietUntil } from './quiet-hours.ts';
import { comparedDays, lowSolar, solarEdges } from './solar.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const zone = 'Europe/Stockholm';

describe('quiet hours', () => {
  for (const { says, at, from, to, until } of [
    { says: 'span midnight', at: '2026-06-01T21:00Z', from: 22, to: 7, until: '2026-06-02T05:00Z' },
    { says: 'go on after midnight', at: '2026-06-02T01:00Z', from: 22, to: 7, until: '2026-06-02T05:00Z' },
    { says: 'are over by day', at: '2026-06-01T12:00Z', from: 22, to: 7, until: undefined },
    { says: 'end when they end', at: '2026-06-02T05:00Z', from: 22, to: 7, until: undefined },
    { says: 'may be by day', at: '2026-06-01T08:00Z', from: 9, to: 17, until: '2026-06-01T15:00Z' },
    { says: 'are an hour longer in the autumn', at: '2026-10-24T20:30Z', from: 22, to: 7, until: '2026-10-25T06:00Z' },
    { says: 'are an hour shorter in the spring', at: '2026-03-28T21:30Z', from: 22, to: 7, until: '2026-03-29T05:00Z' },
    { says: 'may end in the skipped hour', at: '2026-03-28T23:00Z', from: 22, to: 2.5, until: '2026-03-29T01:00Z' },
    {
      says: 'end in the first pass of the repeated hour',
      at: '2026-10-24T23:00Z',
      from: 22,
      to: 2.5,
      until: '2026-10-25T00:30Z',
    },
    { says: 'do not return in its second pass', at: '2026-10-25T01:10Z', from: 22, to: 2.5, until: undefined },
  ]) {
    test(says, () => {
      const found = quietUntil({ from: from * 60, to: to * 60 }, zone, Date.parse(at));
      assert.equal(found && new Date(found).toISOString(), until && new Date(until).toISOString());
    });
  }
});

describe('a silent gateway', () => {
  const device = { site_id: 's', id: 'd', name: 'Inverter', state: 'active', online: 0, last_seen: now - hourMs };
  const gateway = { serial: 'g', gateway_online: 0, gateway_seen: now - 3 * minuteMs };
  const since = { now, startedAt: now - dayMs };
  const rule = { enabled: true, minutes: 2 };

  test('raises an alert after its minutes, counted from the start of the platform at the earliest', () => {
    assert.deepEqual(silentGateways([{ ...device, ...gateway }], rule, since)?.subjects, ['g']);
    assert.equal(silentGateways([{ ...device, ...gateway }], { ...rule, minutes: 4 }, since), null);
    assert.equal(silentGateways([{ ...device, ...gateway }], rule, { now, startedAt: now - minuteMs }), null);
    assert.equal(silentGateways([{ ...device, ...gateway, gateway_seen: null }], rule, since), null);
  });

  test('leaves unknown whether its devices are silent', () => {
    const known = new Map([['d', now - hourMs]]);
    assert.equal(silentDevices([{ ...device, ...gateway }], { enabled: true, minutes: 15 }, new Map(), now), undefined);
    const online = { ...device, ...gateway, gateway_online: 1 };
    assert.deepEqual(silentDevices([online], { enabled: true, minutes: 15 }, known, now)?.subjects, ['d']);
    assert.equal(
      silentDevices([online], { enabled: true, minutes: 15 }, new Map([['d', now - minuteMs]]), now),
      undefined,
    );
    assert.equal(silentDevices([{ ...online, state: 'pending' }], { enabled: true, minutes: 15 }, known, now), null);
    assert.equal(silentDevices([], { enabled: true, minutes: 15 }, known, now), null);
  });
});

test('gateways can be updated that are older than the platform, by numbers', () => {
  const gateways = ['1.2.0', '1.9.3', '1.10.0', '1.10.1', '1.10.0-beta.1', 'next'].map((version, n) => ({
    site_id: 's',
    serial: `g${n}`,
    version,
  }));
  const found = outdatedGateways(gateways.toReversed(), '1.10.0');
  assert.deepEqual(found?.subjects.toSorted(), ['g0 1.10.0', 'g1 1.10.0']);
  assert.deepEqual(found.facts, { version: '1.2.0', newest: '1.10.0', count: 2 });
  assert.equal(outdatedGateways(gateways.slice(2), '1.10.0'), null);
});

describe('power near the fuse', () => {
  const site = { fuse_a: 20, rules: defaultAlertRules };
  const closed = { now, isOpen: false };
  const at = (values: Record<string, unknown>) => ({ at: now, values });
  for (const { says, values, found } of [
    { says: 'is the current of one phase', values: { L1_A: 3, L2_A: 18.5, L3_A: 2 }, found: 'L2' },
    { says: 'counts in either direction', values: { L1_A: -19 }, found: 'L1' },
    { says: 'may be derived from power and voltage', values: { L1_W: 4400, L1_V: 220 }, found: 'L1' },
    { says: 'is not the sum of the phases', values: { L1_A: 17, L2_A: 17, L3_A: 17 }, found: null },
    { says: 'is unknown without phases', values: { W: 13_000 }, found: undefined },
  ]) {
    test(says, () => {
      const result = nearFuse(site, at(values), closed);
      assert.equal(result ? result.facts.phase : result, found);
    });
  }
  test('is unknown without a fuse or a current reading, and ends well below the threshold', () => {
    assert.equal(nearFuse({ ...site, fuse_a: null }, at({ L1_A: 30 }), closed), undefined);
    assert.equal(nearFuse(site, { at: now - hourMs, values: { L1_A: 30 } }, closed), undefined);
    assert.ok(nearFuse(site, at({ L1_A: 17 }), { now, isOpen: true }));
    assert.equal(nearFuse(site, at({ L1_A: 16 }), { now, isOpen: true }), null);
  });
});

test('a battery is low below its percentage, and no longer only when it is well above', () => {
  const site = {
    batteries: [
      { no: 1, name: 'Home' },
      { no: 2, name: 'Barn' },
    ],
    rules: defaultAlertRules,
  };
  const find = (home: number | undefined, barn: number | undefined, isOpen = false) =>
    lowBatteries(
      site,
      (no) => {
        const soc = no === 1 ? home : barn;
        return soc === undefined ? undefined : { at: now, values: { SoC_nom_fract: soc } };
      },
      { now, isOpen },
    );
  assert.deepEqual(find(0.09, 0.05), { subjects: ['2', '1'], facts: { name: 'Barn', percent: 5 } });
  assert.equal(find(0.5, 0.1), null);
  assert.equal(find(0.5, 0.12, true)?.facts.name, 'Barn');
  assert.equal(find(undefined, undefined), undefined);
});

describe('prices', () => {
  const steps = (from: string, values: (hour: number) => number, hours: number): PriceStep[] =>
    Array.from({ length: hours }, (_, hour) => {
      const start = Date.parse(from) + hour * hourMs;
      return { start, end: start + hourMs, total: values(hour), spot: values(hour) };
    });
  const prices = {
    currency: 'SEK',
    steps: steps('2026-05-31T22:00Z', (hour) => (hour >= 14 && hour < 17 ? 0.2 : 1), 24),
  };

  test('are below a limit until they rise again', () => {
    const limit = { enabled: true, price: 0.5 };
    const found = priceBeyond('price_below', limit, prices, Date.parse('2026-06-01T12:30Z'));
    assert.equal(found?.facts.until, Date.parse('2026-06-01T15:00Z'));
    assert.equal(priceBeyond('price_below', limit, prices, Date.parse('2026-06-01T15:00Z')), null);
    assert.ok(priceBeyond('price_above', limit, prices, Date.parse('2026-06-01T15:00Z')));
    assert.equal(priceBeyond('price_below', limit, prices, Date.parse('2026-06-02T12:00Z')), undefined);
    assert.equal(priceBeyond('price_below', limit, undefined, now), undefined);
  });

  test('are negative tomorrow, once all of tomorrow is published', () => {
    const two = (hours: number) => ({
      currency: 'SEK',
      steps: steps('2026-05-31T22:00Z', (hour) => (hour === 30 || hour === 31 || hour === 35 ? -0.1 : 0.1), hours),
    });
    const at = (hour: number): number => Date.parse('2026-05-31T22:00Z') + hour * hourMs;
    assert.equal(negativeTomorrow(two(40), zone, now), undefined);
    assert.deepEqual(negativeTomorrow(two(48), zone, now), {
      subjects: ['2026-06-02'],
      facts: {
        spans: [
          [at(30), at(32)],
          [at(35), at(36)],
        ],
      },
    });
    assert.equal(
      negativeTomorrow({ currency: 'SEK', steps: steps('2026-05-31T22:00Z', () => 0, 48) }, zone, now),
      null,
    );
  });
});

describe('little solar energy', () => {
  const day = (kwh: number, coveredS = 86_400) => ({ wh: kwh * 1000, coveredS });
  const month = (kwh: (day: number) => number) => Array.from({ length: comparedDays }, (_, n) => day(kwh(n)));
  const rule = { enabled: true, percent: 50 };
  const cloudy = month((n) => (n >= 10 && n < 13 ? 4 : 25)); // the weakest three days had 12 kWh

  test('is less than half of the weakest three days of four weeks', () => {
    assert.deepEqual(lowSolar([...cloudy, day(2), day(1.9), day(2)], rule)?.facts, { wh: 5900, expected_wh: 12_000 });
    assert.equal(lowSolar([...cloudy, day(2), day(2), day(2)], rule), null);
  });
  test('is not told of in winter, when the weakest days had next to nothing', () => {
    assert.equal(lowSolar([...month(() => 0.5), day(0), day(0), day(0)], rule), null);
  });
  test('is unknown without enough history, or if the days were not measured', () => {
    assert.equal(lowSolar([...cloudy.slice(8), day(0), day(0), day(0)], rule), undefined);
    assert.equal(lowSolar([...cloudy, day(0), day(0, 40_000), day(0)], rule), undefined);
  });
  test('is compared by local days, also around a clock change', () => {
    const edges = solarEdges(zone, Date.parse('2026-10-26T05:00Z'));
    assert.equal(new Date(edges.at(-1)!).toISOString(), '2026-10-25T23:00:00.000Z');
    assert.equal(new Date(edges.at(-2)!).toISOString(), '2026-10-24T22:00:00.000Z');
    assert.equal(edges.length, comparedDays + 4);
  });
});
