import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { maxAheadMs } from './arrivals.ts';
import * as codec from './codec/reading-chunk.ts';
import { decodeRollups, decodeSummaries, encodeHour, encodeSummaries } from './codec/summary-chunk.ts';
import { minuteRollups, sealedRollups, windowStart } from './levels.ts';
import {
  emptyReadings,
  type HotRow,
  hotRowsAtOnce,
  maxChunkBytes,
  maxChunkFields,
  maxDayCells,
  maxEarlyMs,
  maxHourCells,
  maxSetAsideBytes,
  mergeReadings,
  parseReadings,
  type Readings,
  sliceReadings,
  stringifyValues,
} from './readings.ts';
import { mergeSummaries, rollUp, type Summaries, summarizeHour } from './summaries.ts';
import { type Chunk, type DerTime, type ReceivedRange, type SealedSample, tiers, type WriteTables } from './tables.ts';
import type { SealReport } from './telemetry-store.ts';

export const closedAfterMs = 5 * minuteMs;
const replayMs = 15 * minuteMs; // samples received so recently stay hot, so that streams can replay them

export const nothingSealed: SealReport = { chunks: 0, readings: 0, setAside: [] };

export const lastClosed = (windowMs: number, now: number): number =>
  windowStart(now - closedAfterMs, windowMs) - windowMs;

/** Seals the hour of a hot row, or adds late rows to the sealed day; undefined if that would take too much memory. */
export async function sealHour(
  tables: WriteTables,
  { der, at }: DerTime,
  now: number,
): Promise<SealReport | undefined> {
  const day = windowStart(at, dayMs);
  const [sealedDay] = await tables.chunks(der, [{ tier: tiers.day, from: day, to: day + 1 }]);
  const start = sealedDay ? day : windowStart(at, hourMs);
  const end = start + (sealedDay ? dayMs : hourMs);
  const maxCells = sealedDay ? maxDayCells : maxHourCells;
  const hot = await readHot(tables, der, { start, end, maxCells, now });
  if (hot === 'nothing') return nothingSealed; // its day was sealed with another hour, or a row is recent
  if (hot === 'too_large') return undefined;
  const { rows, readings, newest: newestRow } = hot;
  const existing = sealedDay ?? (await tables.chunks(der, [{ tier: tiers.hour, from: start, to: start + 1 }]))[0];
  const sealed = existing && codec.decodeWithAfter(codec.readingsBody(existing));
  if (sealed && (sealed.readings.isCut || cellsOf([sealed.readings, readings]) > maxCells)) return undefined;
  const received = receivedRanges(rows, now);
  if (!received) return nothingSealed;

  await dropReceived(tables, der, { start, end, received, now });
  if (start < (await tables.state('forgotten_before'))) return nothingSealed;
  const following = parseReadings(await tables.hotRows(der, end, end + hourMs, 2));
  const after = sealed && following.at.length === 0 ? sealed.after : following; // the following rows may be sealed themselves
  const all = mergeReadings([sealed?.readings ?? emptyReadings, readings]);
  if (sealedDay) await addToDay(tables, der, { day, readings: all, after, starts: hoursOf(rows) });
  else await tables.putChunk(der, { tier: tiers.hour, start, body: encodeHour(all, after) });
  await tables.putNewestSealed(sealedOf(der, newestRow));
  return { ...nothingSealed, chunks: 1, readings: rows.length };
}

type Hot = { rows: Pick<HotRow, 'at' | 'received'>[]; readings: Readings; newest: HotRow };

type HotRange = { start: number; end: number; maxCells: number; now: number };

/** Reads the hot rows of a range in portions, until one is recent or they take too much memory. */
async function readHot(
  tables: WriteTables,
  der: number,
  { start, end, maxCells, now }: HotRange,
): Promise<Hot | 'nothing' | 'too_large'> {
  const read: Hot['rows'] = [];
  const parts: Readings[] = [];
  let newest: HotRow | undefined;
  for (let since = start; ; ) {
    const rows = await tables.hotRows(der, since, end, hotRowsAtOnce);
    const last = rows.at(-1);
    if (last) {
      if (!receivedRanges(rows, now)) return 'nothing';
      const parsed = parseReadings(rows, undefined, { ifCut: 'stop' });
      parts.push(parsed);
      if (parsed.isCut || cellsOf(parts) > maxCells) return 'too_large';
      for (const { at, received } of rows) read.push({ at, received });
      newest = last;
      since = last.at + 1;
    }
    if (rows.length === hotRowsAtOnce) continue;
    return newest ? { rows: read, readings: mergeReadings(parts), newest } : 'nothing';
  }
}

/** Returns the cells that the merged parts take; infinite when they have too many fields. */
function cellsOf(parts: readonly Readings[]): number {
  const names = new Set<string>();
  let rows = 0;
  for (const { at, fields } of parts) {
    rows += at.length;
    for (const name of fields.keys()) names.add(name);
  }
  return names.size > maxChunkFields ? Number.POSITIVE_INFINITY : names.size * rows;
}

const hoursOf = (rows: readonly { at: number }[]): Set<number> =>
  new Set(rows.map(({ at }) => windowStart(at, hourMs)));

/** Sets the first hot rows of an hour aside in one chunk. Returns undefined without rows, or when one is recent. */
export async function setAsideHot(
  tables: WriteTables,
  { der, at }: DerTime,
  now: number,
): Promise<SealReport | undefined> {
  const hour = windowStart(at, hourMs);
  const rows = firstToSetAside(await tables.hotRows(der, hour, hour + hourMs, hotRowsAtOnce));
  const [first, last] = [rows.at(0), rows.at(-1)];
  const received = receivedRanges(rows, now);
  if (!first || !last || !received) return undefined;
  await dropReceived(tables, der, { start: first.at, end: last.at + 1, received, now });
  if (first.at < (await tables.state('forgotten_before'))) return nothingSealed;
  await putAside(tables, der, rows);
  await tables.putNewestSealed(sealedOf(der, last));
  const { length: readings } = rows;
  return { chunks: 1, readings, setAside: [{ der, hour, readings }] };
}

type ReceivedRows = { start: number; end: number; received: readonly ReceivedRange[]; now: number };

/** Deletes hot rows that were read. They can no longer be replayed in the order they were received. */
async function dropReceived(tables: WriteTables, der: number, rows: ReceivedRows): Promise<void> {
  const { start, end, received, now } = rows;
  for (const range of received) await tables.dropHot(der, start, end, range);
  const newest = Math.max(...received.map(({ by }) => by));
  await tables.raiseState('replayable_after', Math.min(newest, (now + maxAheadMs) * 1000));
}

/**
 * Returns when these rows were received: before the replay time, or as far in the future, by a clock that was set back
 * since. Undefined when a row is recent.
 */
function receivedRanges(rows: readonly Pick<HotRow, 'received'>[], now: number): ReceivedRange[] | undefined {
  const past: ReceivedRange = { after: -1, by: -1 };
  const future: ReceivedRange = { after: (now + replayMs) * 1000, by: -1 };
  for (const { received } of rows) {
    const range = received > future.after ? future : past;
    if (range === past && received > (now - replayMs) * 1000) return undefined;
    range.by = Math.max(range.by, received);
  }
  return [past, future].filter(({ by }) => by >= 0);
}

function sealedOf(der: number, { at, body }: HotRow): SealedSample {
  const values: Record<string, unknown> = JSON.parse(body);
  const numbers = Object.entries(values).filter(([, value]) => typeof value === 'number');
  return { der, at, body: JSON.stringify(Object.fromEntries(numbers)) };
}

type LateDay = { day: number; readings: Readings; after: Readings; starts: ReadonlySet<number> };

async function addToDay(tables: WriteTables, der: number, { day, readings, after, starts }: LateDay): Promise<void> {
  const minutes = [...starts].map((start) => {
    const following =
      start + hourMs < day + dayMs ? sliceReadings(readings, start + hourMs, start + 2 * hourMs) : after;
    return summarizeHour(sliceReadings(readings, start, start + hourMs), following);
  });
  const summaries = sealedRollups.map(({ windowMs }) => minutes.map((part) => rollUp(part, windowMs)));
  await writeDay(tables, der, { tier: tiers.day, start: day, readings, after, summaries });
}

/** Merges the sealed hours of a day into one smaller chunk; undefined if that would take too much memory. */
export async function sealDay(tables: WriteTables, der: number, day: number): Promise<SealReport | undefined> {
  const span = { tier: tiers.hour, from: day, to: day + dayMs };
  const sizes = await tables.chunkSizes(der, [span, { ...span, tier: tiers.hourOfDay }]);
  if (sizes.some(({ tier }) => tier === tiers.hourOfDay)) return undefined; // it was too large before
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > maxChunkBytes) return undefined;
  const hours = await tables.chunks(der, [span]);
  const names = new Set<string>();
  let rows = 0;
  for (const hour of hours) {
    const shape = codec.shapeOfChunk(codec.readingsBody(hour));
    rows += shape.length;
    for (const name of shape.counts.keys()) names.add(name);
    if (names.size > maxChunkFields || names.size * rows > maxDayCells) return undefined;
  }
  await tables.dropChunks(der, span);
  const sealed = hours.map((hour) => codec.decodeWithAfter(codec.readingsBody(hour)));
  await writeDay(tables, der, {
    tier: tiers.day,
    start: day,
    readings: mergeReadings(sealed.map(({ readings }) => readings)),
    after: sealed.at(-1)?.after ?? emptyReadings,
    summaries: sealedRollups.map((level) => hours.map((hour) => decodeRollups(hour, level))),
  });
  return { ...nothingSealed, chunks: 1 };
}

/** Seals an hour whose day is too large for one chunk. Sets aside an hour that an earlier version sealed with too many fields. */
export async function sealHourOfDay(tables: WriteTables, { der, at: hour }: DerTime): Promise<SealReport> {
  const span = { tier: tiers.hour, from: hour, to: hour + 1 };
  const [chunk] = await tables.chunks(der, [span]);
  if (!chunk) return nothingSealed;
  const [existing] = await tables.chunks(der, [{ ...span, tier: tiers.hourOfDay }]);
  await tables.dropChunks(der, span);
  const { readings, after } = codec.decodeWithAfter(codec.readingsBody(chunk));
  const sealed = existing && codec.decodeReadings(codec.readingsBody(existing));
  if (readings.isCut || cellsOf(sealed ? [sealed, readings] : [readings]) > maxDayCells) {
    return setAsideSealed(tables, der, chunk);
  }
  const all = mergeReadings([sealed ?? emptyReadings, readings]);
  const minutes = summarizeHour(all, after);
  const summaries = sealedRollups.map(({ windowMs }) => [rollUp(minutes, windowMs)]);
  await writeDay(tables, der, { tier: tiers.hourOfDay, start: hour, readings: all, after, summaries });
  return { ...nothingSealed, chunks: 1 };
}

async function setAsideSealed(tables: WriteTables, der: number, chunk: Chunk): Promise<SealReport> {
  const hour = chunk.start;
  let rows: readonly Row[] = codec
    .decodeSparsely(codec.readingsBody(chunk), hour, hour + hourMs)
    .map(({ at, values }) => ({
      at,
      body: stringifyValues(values),
    }));
  const report = { ...nothingSealed, setAside: [{ der, hour, readings: rows.length }] };
  while (rows.length > 0) {
    const piece = firstToSetAside(rows);
    await putAside(tables, der, piece);
    report.chunks++;
    rows = rows.slice(piece.length);
  }
  return report;
}

/** A day, or an hour of a large day; the summaries are by level. */
type Day = {
  tier: typeof tiers.day | typeof tiers.hourOfDay;
  start: number;
  readings: Readings;
  after: Readings;
  summaries: Summaries[][];
};

/** Writes readings, and merges the summaries into those that are stored; new ones replace old ones. */
async function writeDay(tables: WriteTables, der: number, day: Day): Promise<void> {
  const { tier, start, readings, after, summaries } = day;
  await tables.putChunk(der, { tier, start, body: codec.encodeReadings(readings, after) });
  for (const [i, level] of sealedRollups.entries()) {
    const levelStart = windowStart(start, level.spanMs);
    const existing = await tables.chunks(der, [{ tier: level.tier, from: levelStart, to: levelStart + 1 }]);
    const merged = mergeSummaries([...(summaries[i] ?? []), ...existing.map(({ body }) => decodeSummaries(body))]);
    await tables.putChunk(der, { tier: level.tier, start: levelStart, body: encodeSummaries(merged) });
  }
}

/** Deletes the readings of a day, or of an hour of a large day, and stores their minutes. */
export async function forgetDay(
  tables: WriteTables,
  { der, at: start }: DerTime,
  { tier, minutesAreKept }: { tier: Day['tier']; minutesAreKept: boolean },
): Promise<void> {
  const span = { tier, from: start, to: start + 1 };
  const [sealed] = await tables.chunks(der, [span]);
  if (minutesAreKept && sealed) {
    const body = encodeSummaries(decodeRollups(sealed, minuteRollups));
    await tables.putChunk(der, { tier: tiers.oneMinute, start, body });
  }
  await tables.dropChunks(der, span);
}

type Row = Pick<HotRow, 'at' | 'body'>;

/** Returns the first rows, as many as are set aside in one chunk. */
function firstToSetAside<R extends Row>(rows: readonly R[]): readonly R[] {
  let bytes = 0;
  const end = rows.findIndex(({ body }, i) => {
    bytes += body.length;
    return i > 0 && bytes > maxSetAsideBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Stores rows of an hour as JSON. History answers have them as readings, but no rollups of them. */
async function putAside(tables: WriteTables, der: number, rows: readonly Row[]): Promise<void> {
  const first = rows[0]?.at;
  if (first === undefined) return;
  const before = { tier: tiers.setAside, from: first - maxEarlyMs, to: first + 1 };
  const taken = new Set((await tables.chunkSizes(der, [before])).map(({ start }) => start));
  let start = first;
  while (taken.has(start) && start > before.from) start--; // another chunk may begin with a reading of the same time
  await tables.putChunk(der, { tier: tiers.setAside, start, body: codec.encodeSetAside(rows) });
}
