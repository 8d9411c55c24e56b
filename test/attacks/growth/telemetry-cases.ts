import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { TestCloud } from '../../cloud/open-cloud.ts';
import type { GrowthCase } from './measure.ts';
import { createSite, type Holding } from './registry.ts';

const derHistory = 'GET /ders/{der_id}/telemetry';
const siteHistory = 'GET /sites/{site_id}/telemetry';

const namesPerReading = 99; // with its timestamp a reading has a hundred fields, the most that is accepted

const wideReadings = 32; // 16 × as many took 2 s when each name had a column of its own

/** Returns a reading with field names that no other reading has. */
const freshNames = (reading: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: namesPerReading }, (_, n) => [`f${reading}_${n}`, n]));

const knownNames = (reading: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`field_${n}`, reading + n / 10]));

/** History of DERs and sites, and the sealing of hours. */
export function telemetryCases(cloud: TestCloud, holding: Holding): GrowthCase[] {
  const { owner } = holding;
  const start = Math.floor(cloud.clock.now() / hourMs) * hourMs - 2 * dayMs;
  const later = start + 2 * dayMs; // when all of it can be sealed
  let received = start * 1000;

  const get = async (path: string, statuses = [200]): Promise<void> => {
    const { status, body } = await cloud.call('GET', path, { as: owner });
    if (!statuses.includes(status)) throw new Error(`${path}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
  };

  const readings = (
    der: number,
    size: number,
    values: (n: number) => Record<string, number>,
    { from = start, spacingMs = 1000 } = {},
  ): Sample[] =>
    Array.from({ length: size }, (_, n) => {
      const at = from + n * spacingMs;
      return { der, at, received: ++received, body: JSON.stringify({ timestamp: at, ...values(n) }) };
    });

  /** A DER of its own with readings, of one hour unless said otherwise, sealed or as they were received. */
  async function derWith(
    size: number,
    values: (n: number) => Record<string, number>,
    isSealed: boolean,
    spread: { from?: number; spacingMs?: number } = {},
  ) {
    const { site, ders } = await createSite(cloud, holding, 1);
    const [{ id, no }] = ders as [{ id: string; no: number }];
    await cloud.telemetry.append(readings(no, size, values, spread));
    if (isSealed) await cloud.telemetry.seal(later);
    return { site, id, path: `/ders/${id}/telemetry` };
  }
  const hour = `from=${start}&to=${start + hourMs}`;

  const freshNamesCases = [false, true].flatMap((isSealed): GrowthCase[] => {
    const where = isSealed ? 'sealed' : 'not sealed yet';
    // Rows of this kind may exceed a bound of the answer, which then is 422.
    const history = (what: string, query: string): GrowthCase => ({
      covers: [derHistory],
      what: `${what}, 99 new field names in each reading, ${where}`,
      unit: 'readings',
      base: wideReadings,
      maxCpuMs: 400,
      async prepare(size) {
        const { path } = await derWith(size, freshNames, isSealed);
        return () => get(`${path}?${hour}&${query}`, [200, 422]);
      },
    });
    return [
      history('raw', 'resolution=raw'),
      history('raw as CSV', 'resolution=raw&format=csv'),
      history('5-minute buckets', 'resolution=5m'),
    ];
  });

  const sealing = (what: string, base: number, values: (n: number) => Record<string, number>): GrowthCase => ({
    covers: ['sealing'],
    what: `sealing an hour, ${what}`,
    unit: 'readings',
    base,
    maxCpuMs: 400,
    isSingleUse: true,
    async prepare(size) {
      await derWith(size, values, false);
      return () => cloud.telemetry.seal(later);
    },
  });

  const knownNamesCase = (what: string, query: string, isSealed: boolean): GrowthCase => ({
    covers: [derHistory],
    what: `${what}, 10 fields, ${isSealed ? 'sealed' : 'not sealed yet'}`,
    unit: 'readings',
    base: 200,
    async prepare(size) {
      const { path } = await derWith(size, knownNames, isSealed);
      return () => get(`${path}?${hour}&${query}`);
    },
  });

  /** The longest range of a resolution in which the DER has nothing. */
  const emptyRange = (
    covers: string,
    resolution: string,
    longestDays: number,
    when: 'past' | 'future',
  ): GrowthCase => ({
    covers: [covers],
    what: `resolution=${resolution} over a range in the ${when} without data`,
    unit: 'days',
    base: longestDays / 16,
    maxCpuMs: when === 'future' ? 20 : 200,
    async prepare(days) {
      const { site, path } = await derWith(1, knownNames, false);
      const from = when === 'future' ? start + dayMs : start - days * dayMs;
      const query = `from=${from}&to=${from + days * dayMs}&resolution=${resolution}`;
      return () => get(`${covers === derHistory ? path : `/sites/${site}/telemetry`}?${query}`);
    },
  });

  return [
    ...freshNamesCases,
    sealing('99 new field names in each reading', wideReadings, freshNames),
    sealing('10 fields', 200, knownNames),
    knownNamesCase('raw', 'resolution=raw', false),
    knownNamesCase('raw', 'resolution=raw', true),
    knownNamesCase('raw as CSV', 'resolution=raw&format=csv', true),
    knownNamesCase('1-minute buckets', 'resolution=1m', true),
    ...[derHistory, siteHistory].flatMap((covers) => [
      emptyRange(covers, '1d', 40_000, 'future'),
      emptyRange(covers, '1m', 92, 'future'),
      emptyRange(covers, '1d', 19_200, 'past'),
      emptyRange(covers, '1h', 4000, 'past'),
      emptyRange(covers, '15m', 800, 'past'),
      emptyRange(covers, '5m', 400, 'past'),
      emptyRange(covers, '1m', 92, 'past'),
    ]),
    {
      covers: [derHistory],
      what: 'names in fields=, 500 readings',
      unit: 'names',
      base: 32,
      async prepare(size) {
        const { path } = await derWith(500, knownNames, true);
        const fields = Array.from({ length: size }, (_, n) => n.toString(36).at(-1)).join(',');
        return () => get(`${path}?${hour}&resolution=raw&fields=${fields}`);
      },
    },
    {
      covers: [derHistory],
      what: 'days in a range, a reading every ten minutes, 1h',
      unit: 'days',
      base: 1,
      async prepare(size) {
        const from = start - 20 * dayMs;
        const { path } = await derWith(size * 144, knownNames, true, { from, spacingMs: 10 * minuteMs });
        return () => get(`${path}?from=${from}&to=${from + size * dayMs}&resolution=1h`);
      },
    },
    {
      covers: [siteHistory],
      what: 'devices with two DERs each, an hour by the minute',
      unit: 'devices',
      base: 8,
      async prepare(size) {
        const { site, ders } = await createSite(cloud, holding, size);
        await cloud.telemetry.append(
          ders.flatMap(({ no }) => readings(no, 10, (n) => ({ W: n }), { spacingMs: 6 * minuteMs })),
        );
        return () => get(`/sites/${site}/telemetry?${hour}&resolution=1m`);
      },
    },
  ];
}
