import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ferroamp } from './ferroamp.ts';
import type { MqttListener } from './profile.ts';

type Report = Record<string, unknown>;
type Options = { at?: number; isRetained?: boolean };

const start = 1_750_000_000_000;
const val = (value: unknown) => ({ val: value });
const phases = (L1: unknown, L2: unknown, L3: unknown) => ({ L1, L2, L3 });

/** The timestamp of a hub whose clock is a day slow. */
const ts = (at: number) => val(`${new Date(at - 86_400_000).toISOString().slice(0, 19)}UTC`);

const send = (listener: MqttListener, name: string, report: unknown, options: Options = {}): boolean => {
  const { at = start, isRetained = false } = options;
  const payload = new TextEncoder().encode(typeof report === 'string' ? report : JSON.stringify(report));
  return listener.handle({ topic: `extapi/data/${name}`, payload, at, isRetained });
};

const hub = (changes: Report = {}): Report => ({
  pext: phases('100.5', '-20', '300'),
  ppv: val('1200'),
  pbat: val('-450'),
  ...changes,
});

const battery = (id: string, changes: Report = {}): Report => ({
  id: val(id),
  ubat: val('600'),
  ibat: val('2'),
  soc: val('40'),
  wbatprod: val('7200000'),
  wbatcons: val('10800000'),
  ...changes,
});

function listenTo(...reports: [name: string, report: unknown, options?: Options][]): MqttListener {
  const listener = ferroamp.listen();
  for (const [name, report, options] of reports) send(listener, name, report, options);
  return listener;
}

suite('an EnergyHub', () => {
  for (const { says, report, kind, field, value } of [
    { says: 'the meter is the sum of the phases', report: {}, kind: 'meter', field: 'W', value: 380.5 },
    { says: 'import is positive', report: {}, kind: 'meter', field: 'L1_W', value: 100.5 },
    { says: 'export is negative', report: {}, kind: 'meter', field: 'L2_W', value: -20 },
    { says: 'a total of all phases is used', report: { pext: val(7) }, kind: 'meter', field: 'W', value: 7 },
    {
      says: 'a sum requires all phases',
      report: { pext: { L1: 1, L2: 2 } },
      kind: 'meter',
      field: 'W',
      value: undefined,
    },
    { says: 'voltage', report: { ul: phases(230, 231, 232) }, kind: 'meter', field: 'L3_V', value: 232 },
    {
      says: 'current at the grid, signed as the power',
      report: { iext: phases(1, 2, 3) },
      kind: 'meter',
      field: 'L2_A',
      value: -2,
    },
    {
      says: 'the current of the inverter is ignored',
      report: { il: phases(1, 2, 3) },
      kind: 'meter',
      field: 'L2_A',
      value: undefined,
    },
    { says: 'frequency', report: { gridfreq: val('49.97') }, kind: 'meter', field: 'Hz', value: 49.97 },
    {
      says: 'total in millijoules',
      report: { wextconsq3p: val('3600000000'), wextconsq: phases(1, 1, 1) },
      kind: 'meter',
      field: 'total_import_Wh',
      value: 1000,
    },
    {
      says: 'phases in millijoules',
      report: { wextprodq: phases('3600000', '7200000', '0') },
      kind: 'meter',
      field: 'total_export_Wh',
      value: 3,
    },
    { says: 'generation is negative', report: {}, kind: 'pv', field: 'W', value: -1200 },
    { says: 'no generation is zero, not -0', report: { ppv: val('0') }, kind: 'pv', field: 'W', value: 0 },
    { says: 'generated energy', report: { wpv: val(3_600_000) }, kind: 'pv', field: 'total_generation_Wh', value: 1 },
    { says: 'charging is positive', report: {}, kind: 'battery', field: 'W', value: 450 },
    { says: 'state of charge', report: { soc: val('79.9') }, kind: 'battery', field: 'SoC_nom_fract', value: 0.799 },
    {
      says: 'state of charge above 100 %',
      report: { soc: val('120') },
      kind: 'battery',
      field: 'SoC_nom_fract',
      value: undefined,
    },
    { says: 'no battery reported', report: { pbat: undefined }, kind: 'battery', field: 'W', value: undefined },
    { says: 'not a number', report: { ppv: val('NaN') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'an infinite number', report: { ppv: val('1e999') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'a number with a unit', report: { ppv: val('12 W') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'an empty text', report: { ppv: val('') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'hexadecimal', report: { ppv: val('0x10') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'implausibly large', report: { ppv: val('1e12') }, kind: 'pv', field: 'W', value: undefined },
    { says: 'a list', report: { ppv: [1200] }, kind: 'pv', field: 'W', value: undefined },
  ] as const)
    test(`${says}: ${kind} ${field}`, () => {
      const values = listenTo(['ehub', hub(report)]).read(start);
      assert.ok(Object.is(values?.[kind]?.[field], value), `${values?.[kind]?.[field]} is not ${value}`);
    });

  test('batteries send separate messages and are summed', () => {
    const listener = listenTo(
      ['ehub', hub()],
      ['eso', battery('a')],
      ['eso', battery('b', { ibat: val(-5), soc: val(60) })],
    );
    assert.deepEqual(listener.read(start)?.battery, {
      W: 1800,
      V: 600,
      A: 3,
      SoC_nom_fract: 0.5,
      total_charge_Wh: 6,
      total_discharge_Wh: 4,
    });
  });

  test('the state of charge of the hub takes precedence over that of the batteries for a minute', () => {
    const listener = listenTo(['ehub', hub({ soc: val('70') })]);
    const later = start + 45_000;
    send(listener, 'ehub', hub(), { at: later });
    send(listener, 'eso', battery('a'), { at: later });
    assert.equal(listener.read(later)?.battery?.SoC_nom_fract, 0.7);
    send(listener, 'ehub', hub(), { at: start + 61_000 });
    assert.equal(listener.read(start + 61_000)?.battery?.SoC_nom_fract, 0.4);
  });

  test('while one battery is missing, the power of the hub is used instead of the sum', () => {
    const listener = listenTo(['eso', battery('a')], ['eso', battery('b')]);
    const later = start + 31_000;
    send(listener, 'eso', battery('a'), { at: later });
    assert.equal(listener.read(later)?.battery, undefined);
    send(listener, 'ehub', hub(), { at: later });
    assert.deepEqual(listener.read(later)?.battery, { W: 450 });
    const muchLater = start + 700_000; // by then the other one is considered removed
    for (let at = later; at <= muchLater; at += 5000) send(listener, 'eso', battery('a'), { at });
    assert.equal(listener.read(muchLater)?.battery?.W, -1200);
  });

  for (const byMs of [86_400_000, -86_400_000]) {
    test(`a clock that is set by ${byMs} ms removes no battery`, () => {
      const listener = listenTo(['eso', battery('a')], ['eso', battery('b')]);
      const whole = listener.read(start)?.battery;
      const after = start + byMs;
      send(listener, 'eso', battery('a'), { at: after });
      assert.equal(listener.read(after)?.battery, undefined);
      send(listener, 'eso', battery('b'), { at: after + 1000 });
      assert.deepEqual(listener.read(after + 1000)?.battery, whole);
    });
  }

  test('an implausible sum of batteries is not reported', () => {
    const huge = { ubat: val('30000'), ibat: val('30000') };
    const listener = listenTo(['eso', battery('a', huge)], ['eso', battery('b', huge)]);
    assert.equal(listener.read(start), undefined);
    assert.equal(listener.at('battery', start), undefined);
  });

  test('solar strings are used while the hub is silent', () => {
    const string = (id: string) => ({ id: val(id), upv: val('650'), ipv: val('2') });
    const listener = listenTo(['sso', string('1')], ['sso', string('2')]);
    assert.deepEqual(listener.read(start), { pv: { W: -2600 } });
  });

  test('reports capacity and rated power, also from retained messages', () => {
    const isRetained = true;
    const module = { id: val('7'), ratedCapacity: val('15300'), ratedPower: val('7000') };
    const listener = listenTo(['esm', module, { isRetained }]);
    assert.deepEqual(listener.rated(), { battery_rated_power_W: 7000, capacity_Wh: 15_300 });
    send(listener, 'ehub', hub({ ratedcap: val('14000') }), { isRetained });
    assert.deepEqual(listener.rated(), { battery_rated_power_W: 7000, capacity_Wh: 14_000 });
    assert.equal(listener.read(start), undefined);
  });
});

suite('the age of the values of an EnergyHub', () => {
  test('a retained message is not a measurement', () => {
    const kept = { isRetained: true };
    assert.equal(listenTo(['ehub', hub(), kept], ['eso', battery('a'), kept]).read(start), undefined);
  });

  test('a retained message does not replace a newer one', () => {
    const listener = listenTo(['eso', battery('a')], ['eso', battery('a', { ibat: val(9) }), { isRetained: true }]);
    assert.equal(listener.read(start)?.battery?.W, -1200);
  });

  test('a reading has the time of its message and expires after 30 s', () => {
    const listener = listenTo(['ehub', hub()]);
    assert.equal(listener.at('meter', start + 20_000), start);
    assert.ok(listener.read(start + 30_000));
    assert.equal(listener.read(start + 30_001), undefined);
    assert.equal(listener.at('meter', start + 30_001), undefined);
  });

  test('a hub with a wrong clock is accepted', () => {
    const listener = listenTo(['ehub', hub({ ts: ts(start) })]);
    const later = start + 60_000;
    assert.equal(send(listener, 'ehub', hub({ ts: ts(later) }), { at: later }), true);
    assert.equal(listener.at('meter', later), later);
  });

  test('a hub that repeats itself with a stopped clock becomes stale', () => {
    const frozen = { ts: ts(start) };
    const listener = listenTo(['ehub', hub(frozen)], ['eso', battery('a', frozen)]);
    for (let at = start + 1000; at <= start + 31_000; at += 1000) {
      assert.equal(send(listener, 'ehub', hub(frozen), { at }), false);
      assert.equal(send(listener, 'eso', battery('a', frozen), { at }), false);
    }
    assert.equal(listener.read(start + 31_000), undefined);
  });

  test('a hub whose clock had stopped at the retained message is never fresh', () => {
    const frozen = hub({ ts: ts(start) });
    const listener = listenTo(['ehub', frozen, { isRetained: true }], ['ehub', frozen, { at: start + 1000 }]);
    assert.equal(listener.read(start + 1000), undefined);
  });

  test('a clock that was set back is accepted once it advances', () => {
    const listener = listenTo(['ehub', hub({ ts: ts(start) })]);
    const later = start + 60_000;
    send(listener, 'ehub', hub({ ts: ts(start - 3_600_000) }), { at: later });
    assert.equal(listener.read(later), undefined);
    send(listener, 'ehub', hub({ ts: ts(start - 3_599_000) }), { at: later + 1000 });
    assert.equal(listener.at('meter', later + 1000), later + 1000);
  });

  test('the hub completes readings; so do new units, and all units while the hub is silent', () => {
    const listener = ferroamp.listen();
    for (const [name, report, at, completes] of [
      ['eso', battery('a'), start, false],
      ['ehub', hub(), start + 1000, true],
      ['eso', battery('a'), start + 1000, false],
      ['eso', battery('b'), start + 1000, true],
      ['eso', battery('b'), start + 31_000, false],
      ['eso', battery('a'), start + 31_001, true],
    ] as const)
      assert.equal(send(listener, name, report, { at }), completes, `${name} at ${at}`);
  });
});

suite('messages that are not of an EnergyHub', () => {
  const deep = '['.repeat(5000);
  for (const [name, report] of [
    ['ehub', ''],
    ['ehub', 'pext'],
    ['ehub', '[]'],
    ['ehub', 'null'],
    ['ehub', deep],
    ['ehub', '{"pext":{"val":1},"__proto__":{"val":1}}'],
    ['ehub', JSON.stringify(hub({ filler: 'x'.repeat(16_384) }))],
    ['ehub', {}],
    ['ehub', hub({ pext: 5, ppv: null, pbat: 'x' })],
    ['eso', battery('../../etc')],
    ['eso', battery('x'.repeat(65))],
    ['eso', { ubat: val(1), ibat: val(1) }],
    ['else', hub()],
    ['ehub/more', hub()],
  ] as const)
    test(`${name} ${JSON.stringify(report).slice(0, 50)} is ignored`, () => {
      const listener = listenTo([name, report]);
      assert.equal(listener.read(start), undefined);
    });

  test('units beyond the maximum number are ignored', () => {
    const listener = ferroamp.listen();
    for (let id = 0; id < 100; id++) send(listener, 'eso', battery(String(id)));
    assert.equal(listener.read(start)?.battery?.W, -1200 * 32);
  });
});
