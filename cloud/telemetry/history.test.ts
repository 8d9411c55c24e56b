import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import { localDays } from '#lib/local-day.ts';
import type { BucketColumns, TelemetryStore, TextPart } from '../store/telemetry/telemetry-store.ts';
import { textOf } from '../store/telemetry/testing/answers.ts';
import type { HistorySource } from '../store/telemetry-registry.ts';
import { bucketEdges, parseRange, streamDerPoints } from './history.ts';
import { readSitePowers, siteCsv, siteJson } from './site-history.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const minute = 60_000;

const minutes = parseRange({ from: String(now), to: String(now + 5 * minute), resolution: '1m' }, now + 5 * minute);

/** A store that knows the power of each DER at each minute, and when those were heard that told nothing of it. */
const knowing = (
  powers: Record<number, (number | undefined)[]>,
  heardAt: Record<number, number> = {},
): TelemetryStore =>
  ({
    latest: async ([der]: number[]) =>
      new Map(heardAt[der!] === undefined ? [] : [[der, { at: heardAt[der!], received: heardAt[der!]! * 1000 }]]),
    buckets: async (der: number) =>
      columnsOf(
        powers[der]!.flatMap((W, index) =>
          W === undefined ? [] : [{ start: now + index * minute, mean: W, min: W - 10, max: W + 10 }],
        ),
      ),
  }) as unknown as TelemetryStore;

type PowerBucket = { start: number; mean: number; min: number; max: number };

/** Returns buckets of the field W as the telemetry store does. */
function columnsOf(buckets: readonly PowerBucket[]): BucketColumns {
  const column = (key: keyof PowerBucket) => Float64Array.from(buckets, (bucket) => bucket[key]);
  const fields = (['mean', 'min', 'max'] as const).map((part) => [`${part} W`, column(part)] as const);
  return { at: column('start'), fields: new Map(fields) };
}

type Series = { kind: string; points: { timestamp: number; W: number }[] }[];

/** The series of a site as its JSON tells them. */
async function sitePoints(...asked: Parameters<typeof readSitePowers>): Promise<Series> {
  return JSON.parse(await textOf(siteJson(await readSitePowers(...asked), { site_id: 'sit-1' }))).series;
}

const source = (
  no: number,
  der_type: DerTypeId,
  device_type: DeviceTypeId,
  life: { since?: number; until?: number } = {},
): HistorySource => ({ no, der_type, device_type, since: 0, until: null, ...life });

const house = [
  source(1, 'meter', 'energy_meter'),
  source(2, 'solar', 'inverter'),
  source(3, 'battery', 'inverter'),
  source(4, 'ev_charger_port', 'v2x_charger'),
];

test('the load of a house is calculated from its meter, panels, battery and car', async () => {
  const telemetry = knowing({ 1: [-500, 1500], 2: [-3000, 0], 3: [1000, -200], 4: [700, 0] });
  const series = await sitePoints(telemetry, house, minutes, 'UTC');
  const load = series.find(({ kind }) => kind === 'load')!;
  assert.deepEqual(
    load.points.map(({ W }) => W),
    [-500 + 3000 - 1000 - 700, 1500 + 200],
  );
});

test('the load is unknown where one of them was not measured', async () => {
  const telemetry = knowing({ 1: [100, 100], 2: [-50, undefined], 3: [0, 0], 4: [0, 0] });
  const series = await sitePoints(telemetry, house, minutes, 'UTC');
  assert.equal(series.find(({ kind }) => kind === 'load')!.points.length, 1);
  assert.equal(series.find(({ kind }) => kind === 'pv')!.points.length, 1);
});

test('a battery that fell silent before the range leaves the load unknown, one that is long gone does not', async () => {
  const loads = async (heardAt: Record<number, number>) => {
    const telemetry = knowing({ 1: [100, 100], 2: [-50, -50], 3: [], 4: [0, 0] }, heardAt);
    const series = await sitePoints(telemetry, house, minutes, 'UTC');
    return series.find(({ kind }) => kind === 'load')!.points.map(({ W }) => W);
  };
  assert.deepEqual(await loads({ 3: now - 60 * minute }), []);
  assert.deepEqual(await loads({ 3: now + 60 * minute }), []);
  assert.deepEqual(await loads({ 3: now - 8 * 24 * 60 * minute }), [150, 150]);
  assert.deepEqual(await loads({}), [150, 150]);
});

test('the meter of the grid company is preferred to another one, and sub-meters are ignored', async () => {
  const sources = [
    source(5, 'meter', 'inverter'),
    ...house.slice(0, 1),
    source(6, 'meter', 'meter'),
    source(7, 'load', 'meter'),
  ];
  const telemetry = knowing({ 1: [100], 5: [103], 6: [40], 7: [40] });
  const series = await sitePoints(telemetry, sources, minutes, 'UTC');
  assert.deepEqual(series, [
    { kind: 'meter', points: [{ timestamp: now, W: 100, W_min: 90, W_max: 110 }] },
    { kind: 'load', points: [{ timestamp: now, W: 100 }] },
  ]);
});

test('one DER has a minimum and a maximum power; a sum of several has none', async () => {
  const sources = [
    source(2, 'solar', 'inverter'),
    source(3, 'battery', 'inverter'),
    source(4, 'battery', 'battery'),
    source(5, 'ev_charger_port', 'ev_charger', { until: now + minute / 2 }),
  ];
  const telemetry = knowing({ 2: [-50, -60], 3: [30, 30], 4: [40, undefined], 5: [7, undefined] });
  assert.deepEqual(await sitePoints(telemetry, sources, { ...minutes, to: now + 2 * minute }, 'UTC'), [
    {
      kind: 'pv',
      points: [
        { timestamp: now, W: -50, W_min: -60, W_max: -40 },
        { timestamp: now + minute, W: -60, W_min: -70, W_max: -50 },
      ],
    },
    {
      kind: 'battery',
      points: [
        { timestamp: now, W: 70 },
        { timestamp: now + minute, W: 30, W_min: 20, W_max: 40 },
      ],
    },
    { kind: 'charger', points: [{ timestamp: now, W: 3.5 }] },
  ]);
});

test('the history of a site has power only: other fields cannot be added up', async () => {
  const telemetry = knowing({ 1: [100], 2: [-50], 3: [0], 4: [0] });
  const asked = (fields: string) => sitePoints(telemetry, house, { ...minutes, fields: fields.split(',') }, 'UTC');
  assert.equal((await asked('W,Hz')).length, 5);
  assert.deepEqual(await asked('Hz'), []);
});

test('a battery that was added later, and an inverter that left, do not affect the load before and after', async () => {
  const sources = [
    source(1, 'meter', 'energy_meter'),
    source(2, 'solar', 'inverter', { until: now + minute }),
    source(3, 'battery', 'inverter', { since: now + 2 * minute }),
  ];
  const telemetry = knowing({ 1: [100, 100, 100], 2: [-50], 3: [undefined, undefined, 30] });
  const series = await sitePoints(telemetry, sources, minutes, 'UTC');
  assert.deepEqual(
    series.find(({ kind }) => kind === 'load')!.points.map(({ W }) => W),
    [150, 100, 70],
  );
});

test('in an hour in which one DER replaced another, each counts for its part', async () => {
  const noon = now + 30 * minute;
  const sources = [
    source(1, 'meter', 'energy_meter'),
    source(2, 'solar', 'inverter', { until: noon }),
    source(3, 'solar', 'inverter', { since: noon }),
    source(4, 'battery', 'inverter', { since: noon }),
  ];
  const telemetry = knowing({ 1: [-1500], 2: [-2000], 3: [-2000], 4: [100] });
  const series = await sitePoints(
    telemetry,
    sources,
    parseRange({ from: String(now), to: String(now + 1), resolution: '1h' }, now + 60 * minute),
    'UTC',
  );
  assert.deepEqual(
    series.map(({ kind, points }) => [kind, points.map(({ W }) => W)]),
    [
      ['meter', [-1500]],
      ['pv', [-2000]],
      ['battery', [50]],
      ['load', [450]],
    ],
  );
});

test('a meter that replaces another continues where it ended', async () => {
  const noon = now + 30 * minute;
  const sources = [
    source(1, 'meter', 'energy_meter', { until: noon }),
    source(2, 'meter', 'energy_meter', { since: noon }),
  ];
  const telemetry = knowing({ 1: [1000], 2: [2000] });
  const range = parseRange({ from: String(now), to: String(now + 1), resolution: '1h' }, now + 60 * minute);
  const [meter] = await sitePoints(telemetry, sources, range, 'UTC');
  assert.deepEqual(
    meter!.points.map(({ W }) => W),
    [1500],
  );
});

test('a home that began in the middle of an hour has the load of its part of the hour', async () => {
  const sources = [source(1, 'meter', 'energy_meter', { since: now + 30 * minute })];
  const range = parseRange({ from: String(now), to: String(now + 1), resolution: '1h' }, now + 60 * minute);
  const [meter] = await sitePoints(knowing({ 1: [1000] }), sources, range, 'UTC');
  assert.deepEqual(
    meter!.points.map(({ W }) => W),
    [1000],
  );
});

test('a meter of the grid company counts from the day it was added', async () => {
  const sources = [source(5, 'meter', 'inverter'), source(1, 'meter', 'energy_meter', { since: now + minute })];
  const telemetry = knowing({ 5: [103, 203], 1: [undefined, 200] });
  const series = await sitePoints(telemetry, sources, minutes, 'UTC');
  for (const { points } of series)
    assert.deepEqual(
      points.map(({ W }) => W),
      [103, 200],
    );
  assert.equal(series.length, 2);
});

test('a range is the last 24 hours by default, in a resolution for its length', () => {
  const { lastReading, ...usual } = parseRange({}, now);
  assert.deepEqual(usual, { from: now - 86_400_000, to: now, resolution: '5m', fields: undefined });
  assert.equal(lastReading, now + 86_400_000);
  assert.equal(parseRange({ from: '2026-01-01T00:00:00Z' }, now).resolution, '1d');
  assert.deepEqual(parseRange({ fields: 'W, Hz' }, now).fields, ['W', 'Hz']);
  for (const fields of ['', ' ', ',']) assert.equal(parseRange({ fields }, now).fields, undefined);
  assert.throws(() => parseRange({ from: 'later' }, now), { code: 'invalid_request' });
  assert.throws(() => parseRange({ from: String(now + 1) }, now), { code: 'unprocessable' });
  assert.throws(() => parseRange({ from: '2025-01-01T00:00:00Z', resolution: 'raw' }, now), { code: 'unprocessable' });
});

test('buckets are whole and aligned in UTC, and days are those of the time zone', async () => {
  const common = { fields: undefined, lastReading: now + 86_400_000 };
  const quarter = await bucketEdges({ from: now + 1, to: now + 16 * minute, resolution: '15m', ...common }, 'UTC');
  assert.deepEqual(quarter, [now, now + 15 * minute, now + 30 * minute]);
  const days = await bucketEdges({ from: now, to: now + 1, resolution: '1d', ...common }, 'Europe/Stockholm');
  assert.deepEqual(
    days.map((edge) => new Date(edge).toISOString()),
    ['2026-05-31T22:00:00.000Z', '2026-06-01T22:00:00.000Z'],
  );
});

for (const { resolution, from, to, mostBuckets } of [
  { resolution: '1d', from: '1990-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', mostBuckets: 4173 },
  { resolution: '1h', from: '2024-01-01T00:00:00Z', to: '2034-01-01T00:00:00Z', mostBuckets: 884 * 24 },
  { resolution: '1m', from: '2026-05-31T00:00:00Z', to: '2026-08-01T00:00:00Z', mostBuckets: 3 * 1440 },
] as const) {
  test(`${resolution} from ${from.slice(0, 4)} to ${to.slice(0, 4)} looks only at the time that can hold readings`, async () => {
    const edges = await bucketEdges(parseRange({ from, to, resolution }, now), 'Europe/Stockholm');
    assert.ok(edges.length - 1 <= mostBuckets, `${edges.length - 1} buckets`);
    const first = Math.max(Date.parse(from), Date.UTC(2015, 0));
    assert.ok(edges[0]! <= first && edges.at(-1)! > now, 'and at all of it');
  });
}

test('the days of many years are those of the time zone, computed in several parts', async () => {
  const range = parseRange({ from: '2015-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z', resolution: '1d' }, now);
  assert.deepEqual(await bucketEdges(range, 'Europe/Stockholm'), localDays('Europe/Stockholm', range.from, range.to));
});

test('the power of a site is rounded to three decimals, its minimum and maximum are not', async () => {
  const telemetry = {
    buckets: async (der: number) =>
      columnsOf([{ start: now, mean: der === 1 ? 1000 / 3 : -0.00004, min: 0.12345, max: 1e3 / 7 }]),
  } as unknown as TelemetryStore;
  const series = await sitePoints(telemetry, house.slice(0, 2), minutes, 'UTC');
  assert.deepEqual(series, [
    { kind: 'meter', points: [{ timestamp: now, W: 333.333, W_min: 0.12345, W_max: 1e3 / 7 }] },
    { kind: 'pv', points: [{ timestamp: now, W: 0, W_min: 0.12345, W_max: 1e3 / 7 }] },
    { kind: 'load', points: [{ timestamp: now, W: 333.333 }] },
  ]);
});

test('CSV has an empty cell where nothing was measured', async () => {
  const columns = (...W: number[]) => new Map([['W', Float64Array.from(W)]]);
  const kinds = new Map([
    ['pv', columns(Number.NaN, -1, Number.NaN)],
    ['load', columns(2.5, Number.NaN, Number.NaN)],
  ] as const);
  const csv = await textOf(siteCsv({ at: Float64Array.of(now - minute, now, now + minute), kinds }));
  assert.equal(csv, 'timestamp,load_W,pv_W\n2026-06-01T11:59:00.000Z,2.5,\n2026-06-01T12:00:00.000Z,,-1\n');
});

test('a request for more readings than one answer may hold is refused with a way to narrow it', async () => {
  const telemetry = {
    async *points() {
      yield await Promise.reject<TextPart>(Object.assign(new Error(), { code: 'too_many_readings' }));
    },
  } as unknown as TelemetryStore;
  const range = parseRange({ resolution: 'raw' }, now);
  await assert.rejects(textOf(streamDerPoints(telemetry, 1, range, { timeZone: 'UTC', format: 'csv' })), {
    code: 'unprocessable',
    message:
      'query.resolution: raw has more than 200,000 readings in this range; ask for fewer fields (fields=), for a shorter range, or for a coarser resolution.',
  });
});
