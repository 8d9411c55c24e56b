import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { furthestAheadMs } from './arrivals.ts';
import { encodeHour, hourWithAfter, shapeOfHour, sparseReadingsOfHour, summariesOfHour } from './hour-chunk.ts';
import { sealedLevels } from './levels.ts';
import { hotRowsAtOnce, maxChunkBytes, maxChunkFields, maxDayCells, maxHourCells } from './limits.ts';
import { decodeReadings, decodeWithAfter, encodeReadings } from './reading-chunk.ts';
import { cutReadings, type HotRow, mergeReadings, noReadings, parseReadings, type Readings } from './readings.ts';
import { jsonOfValues } from './results.ts';
import { firstToSetAside, putAside } from './set-aside.ts';
import { mergeSummaries, type Summaries, summarizeHour, summarizeHours, widenWindows } from './summaries.ts';
import { decodeSummaries, encodeSummaries } from './summary-chunk.ts';
import { type Arrived, type Chunk, type Sealed, type TablePlace, tiers, type WriteTables } from './tables.ts';
import type { SealReport } from './telemetry-store.ts';
import { windowOf } from './windows.ts';

const closedAfterMs = 5 * minuteMs;
const replayMs = 15 * minuteMs; // what arrived so recently stays as it came, for those who missed it

export const nothingSealed: SealReport = { chunks: 0, readings: 0, bytes: 0, setAside: [] };

/** The start of the last window that is long enough over. */
export const lastClosed = (windowMs: number, now: number): number => windowOf(now - closedAfterMs, windowMs) - windowMs;

/**
 * Seals the hour in which a hot row lies, or adds what came late to its sealed day. Does nothing and returns undefined when that
 * would take more memory than an hour or a day may.
 */
export async function sealHour(
  tables: WriteTables,
  { der, at }: TablePlace,
  now: number,
): Promise<SealReport | undefined> {
  const day = windowOf(at, dayMs);
  const [sealedDay] = await tables.chunks(der, [{ tier: tiers.day, from: day, to: day + 1 }]);
  const start = sealedDay ? day : windowOf(at, hourMs);
  const end = start + (sealedDay ? dayMs : hourMs);
  const maxCells = sealedDay ? maxDayCells : maxHourCells;
  const hot = await readHot(tables, der, { start, end, maxCells, now });
  if (hot === 'nothing') return nothingSealed; // its day was sealed with another hour, or something is recent
  if (hot === 'too_large') return undefined;
  const { rows, readings, newest: newestRow } = hot;
  const there = sealedDay ?? (await tables.chunks(der, [{ tier: tiers.hour, from: start, to: start + 1 }]))[0];
  const sealed = there && (sealedDay ? decodeWithAfter(there.body) : hourWithAfter(there.body));
  if (sealed && (sealed.readings.isCut || cellsOf([sealed.readings, readings]) > maxCells)) return undefined;
  const arrived = arrivalsOf(rows, now);
  if (!arrived) return nothingSealed;

  await dropArrived(tables, der, { start, end, arrived, now });
  if (start < (await tables.state('forgotten_before'))) return nothingSealed;
  const following = parseReadings(await tables.hotRows(der, end, end + hourMs, 2));
  const after = sealed && following.at.length === 0 ? sealed.after : following; // what follows may be sealed itself
  const all = mergeReadings([sealed?.readings ?? noReadings, readings]);
  const bytes = sealedDay
    ? await addToDay(tables, der, { day, readings: all, after, starts: hoursOf(rows) })
    : await writeHour(tables, der, { start, readings: all, after });
  await tables.putNewestSealed(sealedOf(der, newestRow));
  return { ...nothingSealed, chunks: 1, readings: rows.length, bytes };
}

type Hot = { rows: Pick<HotRow, 'at' | 'received'>[]; readings: Readings; newest: HotRow };

type HotSpan = { start: number; end: number; maxCells: number; now: number };

/** Reads the hot rows of a span in pieces, no further than to the first that is recent or too much. */
async function readHot(
  tables: WriteTables,
  der: number,
  { start, end, maxCells, now }: HotSpan,
): Promise<Hot | 'nothing' | 'too_large'> {
  const read: Hot['rows'] = [];
  const parts: Readings[] = [];
  for (let since = start; ; ) {
    const rows = await tables.hotRows(der, since, end, hotRowsAtOnce);
    if (rows.length > 0) {
      if (!arrivalsOf(rows, now)) return 'nothing';
      const parsed = parseReadings(rows, undefined, { ifCut: 'stop' });
      parts.push(parsed);
      if (parsed.isCut || cellsOf(parts) > maxCells) return 'too_large';
      for (const { at, received } of rows) read.push({ at, received });
    }
    if (rows.length === hotRowsAtOnce) since = rows.at(-1)!.at + 1;
    else if (read.length === 0) return 'nothing';
    else
      return {
        rows: read,
        readings: mergeReadings(parts),
        newest: rows.at(-1) ?? (await newestOf(tables, der, since)),
      };
  }
}

async function newestOf(tables: WriteTables, der: number, after: number): Promise<HotRow> {
  const [row] = await tables.hotRows(der, after - 1, after);
  return row!;
}

/** The cells that parts take as one; more than any limit when they have too many fields. */
function cellsOf(parts: readonly Readings[]): number {
  const names = new Set<string>();
  let rows = 0;
  for (const { at, fields } of parts) {
    rows += at.length;
    for (const name of fields.keys()) names.add(name);
  }
  return names.size > maxChunkFields ? Number.POSITIVE_INFINITY : names.size * rows;
}

const hoursOf = (rows: readonly { at: number }[]): Set<number> => new Set(rows.map(({ at }) => windowOf(at, hourMs)));

/** Sets the first hot rows of an hour aside, as many as one piece of work may be; undefined when there are none, or recent ones. */
export async function setAsideHot(
  tables: WriteTables,
  { der, at }: TablePlace,
  now: number,
): Promise<SealReport | undefined> {
  const hour = windowOf(at, hourMs);
  const rows = firstToSetAside(await tables.hotRows(der, hour, hour + hourMs, hotRowsAtOnce));
  const arrived = rows.length > 0 ? arrivalsOf(rows, now) : undefined;
  if (!arrived) return undefined;
  const [start, end] = [rows[0]!.at, rows.at(-1)!.at + 1];
  await dropArrived(tables, der, { start, end, arrived, now });
  if (start < (await tables.state('forgotten_before'))) return nothingSealed;
  const bytes = await putAside(tables, der, rows);
  await tables.putNewestSealed(sealedOf(der, rows.at(-1)!));
  const { length: readings } = rows;
  return { chunks: 1, readings, bytes, setAside: [{ der, hour, readings }] };
}

type ArrivedSpan = { start: number; end: number; arrived: readonly Arrived[]; now: number };

/** Drops the hot rows of a span that arrived by then. They can no longer be replayed in the order of their arrival. */
async function dropArrived(tables: WriteTables, der: number, span: ArrivedSpan): Promise<void> {
  const { start, end, arrived, now } = span;
  for (const arrival of arrived) await tables.dropHot(der, start, end, arrival);
  const newest = Math.max(...arrived.map(({ by }) => by));
  await tables.raiseState('replayable_after', Math.min(newest, (now + furthestAheadMs) * 1000));
}

/**
 * When these arrived: before what is recent, or as far ahead of it, by a clock that was set back since. Undefined when something
 * is recent.
 */
function arrivalsOf(rows: readonly Pick<HotRow, 'received'>[], now: number): Arrived[] | undefined {
  const before: Arrived = { after: -1, by: -1 };
  const ahead: Arrived = { after: (now + replayMs) * 1000, by: -1 };
  for (const { received } of rows) {
    const arrived = received > ahead.after ? ahead : before;
    if (arrived === before && received > (now - replayMs) * 1000) return undefined;
    arrived.by = Math.max(arrived.by, received);
  }
  return [before, ahead].filter(({ by }) => by >= 0);
}

function sealedOf(der: number, { at, body }: HotRow): Sealed {
  const numbers = Object.entries(JSON.parse(body) as object).filter(([, value]) => typeof value === 'number');
  return { der, at, body: JSON.stringify(Object.fromEntries(numbers)) };
}

type Hour = { start: number; readings: Readings; after: Readings };

async function writeHour(tables: WriteTables, der: number, { start, readings, after }: Hour): Promise<number> {
  const body = encodeHour(readings, after);
  await tables.putChunk(der, { tier: tiers.hour, start, body });
  return body.length;
}

type LateDay = { day: number; readings: Readings; after: Readings; starts: ReadonlySet<number> };

async function addToDay(tables: WriteTables, der: number, { day, readings, after, starts }: LateDay): Promise<number> {
  const minutes = [...starts].map((start) => {
    const following = start + hourMs < day + dayMs ? cutReadings(readings, start + hourMs, start + 2 * hourMs) : after;
    return summarizeHour(cutReadings(readings, start, start + hourMs), following);
  });
  const summaries = sealedLevels.map(({ windowMs }) => minutes.map((part) => widenWindows(part, windowMs)));
  return writeDay(tables, der, { tier: tiers.day, start: day, readings, after, summaries });
}

/**
 * Makes one chunk of the sealed hours of a day: smaller, and fewer to read. Does nothing and returns undefined when that would take
 * more memory than a day may.
 */
export async function sealDay(tables: WriteTables, der: number, day: number): Promise<SealReport | undefined> {
  const span = { tier: tiers.hour, from: day, to: day + dayMs };
  const sizes = await tables.chunkSizes(der, [span, { ...span, tier: tiers.hourOfDay }]);
  if (sizes.some(({ tier }) => tier === tiers.hourOfDay)) return undefined; // it was too large before
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > maxChunkBytes) return undefined;
  const hours = await tables.chunks(der, [span]);
  const names = new Set<string>();
  let rows = 0;
  for (const { body } of hours) {
    const shape = shapeOfHour(body);
    rows += shape.length;
    for (const name of shape.counts.keys()) names.add(name);
    if (names.size > maxChunkFields || names.size * rows > maxDayCells) return undefined;
  }
  await tables.dropChunks(der, span);
  const sealed = hours.map(({ body }) => hourWithAfter(body));
  const bytes = await writeDay(tables, der, {
    tier: tiers.day,
    start: day,
    readings: mergeReadings(sealed.map(({ readings }) => readings)),
    after: sealed.at(-1)?.after ?? noReadings,
    summaries: sealedLevels.map((level) => hours.map(({ body }) => summariesOfHour(body, level))),
  });
  return { ...nothingSealed, chunks: 1, bytes };
}

/** Seals one hour of a day that is too large for one chunk. Sets an hour aside that an earlier version sealed with too many fields. */
export async function sealHourOfDay(tables: WriteTables, { der, at: hour }: TablePlace): Promise<SealReport> {
  const span = { tier: tiers.hour, from: hour, to: hour + 1 };
  const [chunk] = await tables.chunks(der, [span]);
  const [there] = await tables.chunks(der, [{ ...span, tier: tiers.hourOfDay }]);
  await tables.dropChunks(der, span);
  const { readings, after } = hourWithAfter(chunk!.body);
  const sealed = there && decodeReadings(there.body);
  if (readings.isCut || cellsOf(sealed ? [sealed, readings] : [readings]) > maxDayCells) {
    return setAsideSealed(tables, der, chunk!);
  }
  const all = mergeReadings([sealed ?? noReadings, readings]);
  const minutes = summarizeHour(all, after);
  const summaries = sealedLevels.map(({ windowMs }) => [widenWindows(minutes, windowMs)]);
  const bytes = await writeDay(tables, der, { tier: tiers.hourOfDay, start: hour, readings: all, after, summaries });
  return { ...nothingSealed, chunks: 1, bytes };
}

async function setAsideSealed(tables: WriteTables, der: number, { start: hour, body }: Chunk): Promise<SealReport> {
  let rows: readonly Pick<HotRow, 'at' | 'body'>[] = sparseReadingsOfHour(body, hour, hour + hourMs).map(
    ({ at, values }) => ({ at, body: jsonOfValues(values) }),
  );
  const report = { ...nothingSealed, setAside: [{ der, hour, readings: rows.length }] };
  while (rows.length > 0) {
    const piece = firstToSetAside(rows);
    report.bytes += await putAside(tables, der, piece);
    report.chunks++;
    rows = rows.slice(piece.length);
  }
  return report;
}

/** `start` is that of the day or of the hour of a large day; the summaries are by level. */
type Day = {
  tier: typeof tiers.day | typeof tiers.hourOfDay;
  start: number;
  readings: Readings;
  after: Readings;
  summaries: Summaries[][];
};

/** The summaries given take the place of those that are there. */
async function writeDay(tables: WriteTables, der: number, day: Day): Promise<number> {
  const { tier, start, readings, after, summaries } = day;
  const chunks: Chunk[] = [{ tier, start, body: encodeReadings(readings, after) }];
  for (const [i, level] of sealedLevels.entries()) {
    const levelStart = windowOf(start, level.spanMs);
    const there = await tables.chunks(der, [{ tier: level.tier, from: levelStart, to: levelStart + 1 }]);
    const merged = mergeSummaries([...summaries[i]!, ...there.map(({ body }) => decodeSummaries(body))]);
    chunks.push({ tier: level.tier, start: levelStart, body: encodeSummaries(merged) });
  }
  let bytes = 0;
  for (const chunk of chunks) {
    await tables.putChunk(der, chunk);
    bytes += chunk.body.length;
  }
  return bytes;
}

/** Drops the readings of a day, or of an hour of a large day. Their minutes are made first. */
export async function forgetDay(
  tables: WriteTables,
  { der, at: start }: TablePlace,
  { tier, minutesAreKept }: { tier: Day['tier']; minutesAreKept: boolean },
): Promise<void> {
  const span = { tier, from: start, to: start + 1 };
  const [sealed] = await tables.chunks(der, [span]);
  if (minutesAreKept && sealed) {
    const { readings, after } = decodeWithAfter(sealed.body);
    const body = encodeSummaries(summarizeHours(readings, after));
    await tables.putChunk(der, { tier: tiers.minutes, start, body });
  }
  await tables.dropChunks(der, span);
}
