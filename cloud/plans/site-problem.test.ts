import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { defaultPlanGoals } from '#contract/cloud/plans.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { inEnglish } from '#plan/english.ts';
import type { History } from '#plan/forecast/history.ts';
import { knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import type { SiteQuarters } from '../energy/report.ts';
import { edgesFrom, type SiteKnowledge, siteProblem } from './site-problem.ts';

const timeZone = 'Europe/Stockholm';
const now = Date.parse('2026-01-28T12:00:00Z');
const learnedMs = 43 * dayMs;

type Given = Pick<SiteKnowledge, 'goals' | 'ders' | 'readings' | 'connected'>;
const nothing: Given = { goals: { site_id: 'site', ...defaultPlanGoals }, ders: [], readings: new Map() };

/** A house with 80 W of heating per degree, and panels that follow the irradiance. */
async function plannedWith(
  weather: { degreesAt(ms: number): number; irradianceAt(ms: number): number } | undefined,
  given = nothing,
) {
  const from = now - learnedMs;
  const length = learnedMs / quarterMs;
  const column = (valueAt: (ms: number) => number) =>
    Float64Array.from({ length }, (_, i) => valueAt(from + i * quarterMs));
  const series = Object.fromEntries(energySeries.map((name) => [name, column(() => 0)])) as SiteQuarters['series'];
  series.load = series.import = column((ms) => (2000 - 80 * pastDegrees(ms)) / 4);
  series.solar = column((ms) => pastIrradiance(ms) / 4);
  const terms = { area: 'SE3', tariff_id: threePeaks, timezone: timeZone };
  const prices = await knownCalculator({ spot: () => 60, unknownFrom: '2026-01-30' }).marginalPrice({
    ...terms,
    from: now - 21 * dayMs,
    to: Date.parse('2026-01-31T23:00:00Z'),
  });
  const history = (valueAt: (ms: number) => number): History => ({
    startMs: from,
    stepMs: hourMs,
    values: Array.from({ length: learnedMs / hourMs + 96 }, (_, n) => valueAt(from + n * hourMs)),
  });
  const found = siteProblem({
    ...given,
    now,
    timeZone,
    site: { latitude: 59.3, longitude: 18.1 },
    fuse_a: 20,
    prices,
    quarters: { from, to: now, series, estimated: column(() => 0), coveredS: column(() => 900) },
    weather: weather && {
      temperature: history(weather.degreesAt),
      irradiance: history(weather.irradianceAt),
      note: { key: 'weather_of', name: 'a source' },
    },
  });
  const { problem, edges, missing, unplanned } = found;
  const nextDay = (values: readonly number[]): number => values.slice(0, 96).reduce((sum, each) => sum + each / 96, 0);
  const assumed = found.assumed.map((each) => (typeof each === 'string' ? each : inEnglish(each, { timeZone })));
  return {
    load: nextDay(problem.load_w),
    solar: nextDay(problem.solar_w),
    assumed,
    problem,
    edges,
    missing,
    unplanned,
  };
}

const pastDegrees = (ms: number): number => 5 * Math.sin(ms / (3 * dayMs));
const pastIrradiance = (ms: number): number => Math.max(0, 400 * Math.sin(((ms % dayMs) / dayMs - 0.25) * 2 * Math.PI));

test('plans reach to the end of the month that their two days reach', () => {
  const endFrom = (time: string): string => new Date(edgesFrom(Date.parse(time), timeZone).at(-1)!).toISOString();
  assert.equal(endFrom('2026-01-28T12:00:00Z'), '2026-01-31T23:00:00.000Z');
  assert.equal(endFrom('2026-01-29T23:00:00Z'), '2026-01-31T23:00:00.000Z'); // two days to the second
  assert.equal(endFrom('2026-01-29T23:15:00Z'), '2026-02-28T23:00:00.000Z');
  assert.equal(endFrom('2026-02-28T22:59:00Z'), '2026-03-31T22:00:00.000Z');
});

test('plans expect more load in the cold and more sun under a clear sky, and say which weather they used', async () => {
  const without = await plannedWith(undefined);
  const usual = await plannedWith({ degreesAt: pastDegrees, irradianceAt: pastIrradiance });
  const other = await plannedWith({
    degreesAt: (ms) => (ms < now ? pastDegrees(ms) : -15),
    irradianceAt: (ms) => pastIrradiance(ms) * (ms < now ? 1 : 0.2),
  });
  assert.ok(Math.abs(other.load - 3200) < 200, `${other.load} W`);
  assert.ok(other.load > without.load + 500, `${without.load} W without weather`);
  assert.ok(Math.abs(other.solar / usual.solar - 0.2) < 0.03, `${other.solar} and ${usual.solar} W`);
  assert.ok(
    other.assumed.includes('Load and sun are forecast with weather of a source (CC BY 4.0).'),
    other.assumed.join(' '),
  );
  assert.ok(!without.assumed.some((sentence) => /weather/i.test(sentence)));
  assert.match(without.assumed[0]!, /^Spot prices from 2026-01-30 00:00 on are assumed/); // local time
});

test('plans the 16 largest batteries of a site, and names the others', async () => {
  const ders = Array.from({ length: 20 }, (_, n) => ({
    no: n,
    id: `bat-${n}`,
    sn: `SN${n}`,
    serial: n % 2 ? 'one' : 'two',
    name: 'battery',
    device: `Battery ${n}`,
    type: 'battery' as const,
    device_type: 'inverter' as const,
  }));
  const readings = new Map(
    ders.map(({ no }) => [no, { at: now, values: { SoC_nom_fract: 0.5, capacity_Wh: 1000 * (1 + no) } }]),
  );
  const { problem, unplanned, missing } = await plannedWith(undefined, { ...nothing, ders, readings });
  assert.equal(problem.storages.length, 16);
  assert.ok(problem.storages.every(({ capacity_wh }) => capacity_wh > 4000));
  const names = [3, 2, 1, 0].map((n) => `Battery ${n}`);
  assert.deepEqual(new Set(unplanned.map(({ name }) => name)), new Set(names));
  assert.deepEqual([...new Set(unplanned.map(({ key }) => key)), missing], ['too_many_storages', []]);
});

suite('a car', () => {
  const der = { no: 1, id: 'car', sn: 'CAR', serial: 'gw', name: 'car', device: 'Charger' };
  const given = {
    goals: {
      ...nothing.goals,
      cars: [{ der_id: 'car', target_pct: 80, by: '07:00', days: [4, 5, 6] }],
      storages: [{ der_id: 'car', capacity_wh: 50_000 }],
    },
    ders: [{ ...der, type: 'ev_charger_port', device_type: 'ev_charger' }],
    readings: new Map([[1, { at: now, values: { vehicle_soc_fract: 0.5, rated_power_W: 11_000 } }]]),
  } satisfies Given;

  test('leaves on its days until the end of the month, so that the power charge has its charging, too', async () => {
    const { problem, edges, assumed } = await plannedWith(undefined, given);
    const [storage] = problem.storages;
    const departures = storage!.goals!.map(({ step }) => new Date(edges[step + 1]!).toISOString());
    // Thursday and Friday; Saturday is three days ahead.
    assert.deepEqual(departures, ['2026-01-29T06:00:00.000Z', '2026-01-30T06:00:00.000Z']);
    const driven = storage!.use_wh!.reduce((sum, wh) => sum + wh, 0);
    assert.equal(driven, 10_000);
    const without = await plannedWith(undefined, { ...given, goals: { ...given.goals, cars: [] } });
    const later = problem.load_w.flatMap((w, n) => {
      const added = w - without.problem.load_w[n]!;
      return added > 1e-6 ? [{ at: edges[n]!, wh: (added * problem.steps_s[n]!) / 3600 }] : [];
    });
    assert.deepEqual(
      [later[0]!.at, later.at(-1)!.at].map((at) => new Date(at).toISOString()),
      ['2026-01-30T16:00:00.000Z', '2026-01-31T05:00:00.000Z'],
    );
    const charged = later.reduce((sum, { wh }) => sum + wh, 0);
    assert.ok(Math.abs(charged - 10_000 / 0.95) < 1, `${charged} Wh`);
    assert.ok(
      assumed.includes('After two days, the car at Charger is assumed to charge evenly while it is connected.'),
      assumed.join(' '),
    );
    assert.ok(assumed.includes(`The car at Charger ${from('from 17:00')}`), assumed.join(' '));
  });

  test('that is away is expected to need the energy of a day', async () => {
    const readings = new Map([[1, { at: now, values: { W: 0 } }]]);
    const { problem, assumed } = await plannedWith(undefined, { ...given, readings });
    const [storage] = problem.storages;
    assert.deepEqual([storage!.start_wh, storage!.goals![0]!.wh, storage!.present![0]], [30_000, 40_000, false]);
    assert.ok(assumed.includes('The car at Charger is away; it is assumed to need 10.0 kWh when it is back.'));
  });

  for (const { values, capacity_wh, key } of [
    { values: { vehicle_soc_fract: 0.5 }, capacity_wh: undefined, key: 'car_size_missing' },
    { values: { W: 0 }, capacity_wh: undefined, key: 'car_size_missing' },
    { values: { session_charge_Wh: 900 }, capacity_wh: undefined, key: 'car_energy_missing' },
    { values: { session_charge_Wh: 900 }, capacity_wh: 50_000, key: 'car_energy_missing' },
  ] as const)
    test(`${capacity_wh ? 'of a known size' : 'of an unknown size'} with ${JSON.stringify(values)} asks for what the plan needs`, async () => {
      const storages = [{ der_id: 'car', ...(capacity_wh && { capacity_wh }) }];
      const goals = { ...given.goals, storages };
      const { missing } = await plannedWith(undefined, {
        ...given,
        goals,
        readings: new Map([[1, { at: now, values }]]),
      });
      assert.deepEqual(missing, [{ key, name: 'Charger' }]);
    });

  test('is not planned without a departure, or while its charger sends nothing', async () => {
    const goals = { ...given.goals, cars: [] };
    const without = await plannedWith(undefined, { ...given, goals });
    assert.deepEqual(without.unplanned, [{ key: 'car_no_departure', name: 'Charger' }]);
    const silent = await plannedWith(undefined, { ...given, readings: new Map() });
    assert.deepEqual([silent.missing, silent.unplanned], [[{ key: 'car_silent', name: 'Charger' }], []]);
    assert.deepEqual([without.problem.storages, silent.problem.storages], [[], []]);
  });

  const from = (when: string): string =>
    `is assumed to be connected ${when} until it leaves, each week as in the goals.`;
  /** Connected except between two hours, UTC. */
  const awayBetween = (leaves: number, returns: number): History => ({
    startMs: now - 14 * dayMs,
    stepMs: hourMs,
    values: Array.from({ length: 14 * 24 }, (_, n) => {
      const hour = new Date(now - 14 * dayMs + n * hourMs).getUTCHours();
      return hour >= leaves && hour < returns ? 0 : 1;
    }),
  });
  for (const { says, leaves, returns, arrival } of [
    { says: 'as usual in the last weeks', leaves: 6, returns: 13, arrival: '13:00' },
    { says: 'as usual, if it usually leaves later than its goal', leaves: 8, returns: 20, arrival: '20:00' },
    { says: 'at once, if it usually stays', leaves: 0, returns: 0, arrival: '06:00' },
  ])
    test(`is expected back ${says}`, async () => {
      const connected = { car: awayBetween(leaves, returns) };
      const { problem, edges, assumed } = await plannedWith(undefined, { ...given, connected });
      const leftAt = edges.indexOf(Date.parse('2026-01-29T06:00:00Z'));
      const back = problem.storages[0]!.present!.indexOf(true, leftAt);
      assert.equal(new Date(edges[back]!).toISOString().slice(11, 16), arrival);
      assert.ok(assumed.includes(`The car at Charger ${from('when it usually was in the last weeks')}`));
    });
});
