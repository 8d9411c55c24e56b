import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { furthestAheadMs } from './arrivals.ts';
import { encodeHour, hourWithAfter, summariesOfHour } from './hour-chunk.ts';
import { sealedLevels } from './levels.ts';
import { decodeWithAfter, encodeReadings } from './reading-chunk.ts';
import { cutReadings, type HotRow, mergeReadings, noReadings, parseReadings, type Readings } from './readings.ts';
import { mergeSummaries, type Summaries, summarizeHour, summarizeHours, widenWindows } from './summaries.ts';
import { decodeSummaries, encodeSummaries } from './summary-chunk.ts';
import { type Arrived, type Chunk, type Sealed, type TablePlace, tiers, type WriteTables } from './tables.ts';
import type { SealReport } from './telemetry-store.ts';
import { windowOf } from './windows.ts';

const closedAfterMs = 5 * minuteMs;
const replayMs = 15 * minuteMs; // what arrived so recently stays as it came, for those who missed it

export const nothingSealed: SealReport = { chunks: 0, readings: 0, bytes: 0 };

/** The start of the last window that is long enough over. */
export const lastClosed = (windowMs: number, now: number): number => windowOf(now - closedAfterMs, windowMs) - windowMs;

/** Seals the hour in which a hot row lies, or adds what came late to its sealed day. */
export async function sealHour(tables: WriteTables, { der, at }: TablePlace, now: number): Promise<SealReport> {
  const day = windowOf(at, dayMs);
  const [sealedDay] = await tables.chunks(der, [{ tier: tiers.day, from: day, to: day + 1 }]);
  const start = sealedDay ? day : windowOf(at, hourMs);
  const end = start + (sealedDay ? dayMs : hourMs);
  const rows = await tables.hotRows(der, start, end);
  if (rows.length === 0) return nothingSealed; // its day was sealed with another hour
  const arrived = arrivalsOf(rows, now);
  if (!arrived) return nothingSealed;

  for (const arrival of arrived) await tables.dropHot(der, start, end, arrival);
  const newest = Math.max(...arrived.map(({ by }) => by));
  await tables.raiseState('replayable_after', Math.min(newest, (now + furthestAheadMs) * 1000));
  if (start < (await tables.state('forgotten_before'))) return nothingSealed;
  const after = parseReadings(await tables.hotRows(der, end, end + hourMs, 2));
  const bytes = sealedDay
    ? await addToDay(tables, der, { day, sealed: sealedDay.body, rows, after })
    : await writeHour(tables, der, { start, rows, after });
  await tables.putNewestSealed(numbersOf(der, rows.at(-1)!));
  return { chunks: 1, readings: rows.length, bytes };
}

/**
 * When these arrived: before what is recent, or as far ahead of it, by a clock that was set back since. Undefined when something
 * is recent.
 */
function arrivalsOf(rows: readonly HotRow[], now: number): Arrived[] | undefined {
  const before: Arrived = { after: -1, by: -1 };
  const ahead: Arrived = { after: (now + replayMs) * 1000, by: -1 };
  for (const { received } of rows) {
    const arrived = received > ahead.after ? ahead : before;
    if (arrived === before && received > (now - replayMs) * 1000) return undefined;
    arrived.by = Math.max(arrived.by, received);
  }
  return [before, ahead].filter(({ by }) => by >= 0);
}

function numbersOf(der: number, { at, body }: HotRow): Sealed {
  const numbers = Object.entries(JSON.parse(body) as object).filter(([, value]) => typeof value === 'number');
  return { der, at, body: JSON.stringify(Object.fromEntries(numbers)) };
}

type Hour = { start: number; rows: HotRow[]; after: Readings };

async function writeHour(tables: WriteTables, der: number, { start, rows, after }: Hour): Promise<number> {
  const [there] = await tables.chunks(der, [{ tier: tiers.hour, from: start, to: start + 1 }]);
  const sealed = there && hourWithAfter(there.body);
  const readings = mergeReadings([sealed?.readings ?? noReadings, parseReadings(rows)]);
  const body = encodeHour(readings, sealed && after.at.length === 0 ? sealed.after : after);
  await tables.putChunk(der, { tier: tiers.hour, start, body });
  return body.length;
}

type LateDay = { day: number; sealed: Uint8Array; rows: HotRow[]; after: Readings };

async function addToDay(tables: WriteTables, der: number, late: LateDay): Promise<number> {
  const { day, rows } = late;
  const sealed = decodeWithAfter(late.sealed);
  const readings = mergeReadings([sealed.readings, parseReadings(rows)]);
  const after = late.after.at.length > 0 ? late.after : sealed.after; // what follows may be sealed itself
  const starts = new Set(rows.map(({ at }) => windowOf(at, hourMs)));
  const minutes = [...starts].map((start) => {
    const following = start + hourMs < day + dayMs ? cutReadings(readings, start + hourMs, start + 2 * hourMs) : after;
    return summarizeHour(cutReadings(readings, start, start + hourMs), following);
  });
  const summaries = sealedLevels.map(({ windowMs }) => minutes.map((part) => widenWindows(part, windowMs)));
  return writeDay(tables, der, { day, readings, after, summaries });
}

/** Makes one chunk of the sealed hours of a day: smaller, and fewer to read. */
export async function sealDay(tables: WriteTables, der: number, day: number): Promise<SealReport> {
  const hours = await tables.chunks(der, [{ tier: tiers.hour, from: day, to: day + dayMs }]);
  await tables.dropChunks(der, { tier: tiers.hour, from: day, to: day + dayMs });
  const sealed = hours.map(({ body }) => hourWithAfter(body));
  const bytes = await writeDay(tables, der, {
    day,
    readings: mergeReadings(sealed.map(({ readings }) => readings)),
    after: sealed.at(-1)?.after ?? noReadings,
    summaries: sealedLevels.map((level) => hours.map(({ body }) => summariesOfHour(body, level))),
  });
  return { chunks: 1, readings: 0, bytes };
}

/** The summaries are by level. */
type Day = { day: number; readings: Readings; after: Readings; summaries: Summaries[][] };

/** The summaries given take the place of those that are there. */
async function writeDay(tables: WriteTables, der: number, { day, readings, after, summaries }: Day): Promise<number> {
  const chunks: Chunk[] = [{ tier: tiers.day, start: day, body: encodeReadings(readings, after) }];
  for (const [i, { tier, spanMs }] of sealedLevels.entries()) {
    const start = windowOf(day, spanMs);
    const there = await tables.chunks(der, [{ tier, from: start, to: start + 1 }]);
    const merged = mergeSummaries([...summaries[i]!, ...there.map(({ body }) => decodeSummaries(body))]);
    chunks.push({ tier, start, body: encodeSummaries(merged) });
  }
  let bytes = 0;
  for (const chunk of chunks) {
    await tables.putChunk(der, chunk);
    bytes += chunk.body.length;
  }
  return bytes;
}

/** Drops the readings of a day. Their minutes are made first. */
export async function forgetDay(
  tables: WriteTables,
  { der, at: day }: TablePlace,
  { minutesAreKept }: { minutesAreKept: boolean },
): Promise<void> {
  const span = { tier: tiers.day, from: day, to: day + 1 };
  const [sealed] = await tables.chunks(der, [span]);
  if (minutesAreKept && sealed) {
    const { readings, after } = decodeWithAfter(sealed.body);
    const body = encodeSummaries(summarizeHours(readings, after));
    await tables.putChunk(der, { tier: tiers.minutes, start: day, body });
  }
  await tables.dropChunks(der, span);
}
