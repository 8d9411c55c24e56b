import { mostReadings } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { type Fields, readingsOf, setOf } from './answers.ts';
import { TooManyReadings } from './faults.ts';
import { copyReadings, cutReadings, mergeReadings, parseReadings, type Readings } from './readings.ts';
import { type ReadTables, tiers } from './tables.ts';
import { windowOf } from './windows.ts';

const hotAtOnce = 5000; // the text of a reading takes several times the room of its numbers, and is parsed in one turn

/**
 * The readings from an instant to before another, sealed or not. They are read day by day (nothing moves from one day to
 * another), and no further than to the first that is too many.
 */
export async function readRaw(
  tables: ReadTables,
  der: number,
  from: number,
  to: number,
  fields?: Fields,
): Promise<Readings> {
  const only = setOf(fields);
  const days: Readings[] = [];
  let left = mostReadings;
  for (let day = windowOf(from, dayMs); day < to; day += dayMs) {
    const [start, end] = [Math.max(from, day), Math.min(to, day + dayMs)];
    const hot = await hotReadings(tables, der, { start, end, only, most: left });
    const chunks = await tables.chunks(der, [
      { tier: tiers.day, from: day, to: end },
      { tier: tiers.hour, from: windowOf(start, hourMs), to: end },
    ]);
    const sealed = chunks.map((chunk) => cutReadings(readingsOf(chunk, only), start, end));
    const readings = mergeReadings([...sealed, ...hot]);
    left -= readings.at.length;
    if (left < 0) throw new TooManyReadings();
    if (readings.at.length > 0) days.push(readings);
  }
  return days.length === 1 ? copyReadings(days[0]!) : mergeReadings(days);
}

type Span = { start: number; end: number; only: ReadonlySet<string> | undefined; most: number };

async function hotReadings(tables: ReadTables, der: number, { start, end, only, most }: Span): Promise<Readings[]> {
  const parts: Readings[] = [];
  for (let since = start, left = most; ; ) {
    const rows = await tables.hotRows(der, since, end, hotAtOnce);
    left -= rows.length;
    if (left < 0) throw new TooManyReadings();
    parts.push(parseReadings(rows, only));
    if (rows.length < hotAtOnce) return parts;
    since = rows.at(-1)!.at + 1;
  }
}
