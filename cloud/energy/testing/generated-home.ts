import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { HomeDer, Values } from './ledger-home.ts';

// Knows nothing of the ledger. The power of a DER runs straight from one reading to the next, so that its energy is known exactly.

const minuteMs = 60_000;
const hourMs = 3_600_000;
const quarterMs = 15 * minuteMs;
const dayMs = 24 * hourMs;
const maxSegmentMs = 5 * minuteMs; // readings further apart have a gap between them

/** Midnights in Stockholm at which homes begin: clock changes on the second day, and usual days. */
const beginnings = ['2026-03-27T23:00Z', '2026-10-23T22:00Z', '2026-01-09T23:00Z', '2026-06-04T22:00Z'].map(Date.parse);

export type GeneratedReading = { at: number; values: Values };

/** The truth about a quarter of an hour of a DER: Wh, and by how much a right ledger may differ. */
type Truth = { in: number; out: number; estimated: number; coveredMs: number; tolerance: number };

export type GeneratedDer = HomeDer & {
  readings: GeneratedReading[];
  truth: Truth[];
  /** what happens to it */
  story: string;
  /** what the registers moved by, and how exact that is; undefined when they did not survive */
  moved: { in: number; out: number; exactTo: number } | undefined;
};

export type GeneratedHome = { from: number; to: number; ders: GeneratedDer[] };

export type Random = (below: number) => number;

/** A linear congruential generator: the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) % 2 ** 32;
  return (below) => {
    for (let i = 0; i < 2; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * below;
  };
}

type Kind = { derType: DerTypeId; deviceType: DeviceTypeId; lowW: number; highW: number };

const meter: Kind = { derType: 'meter', deviceType: 'energy_meter', lowW: -3000, highW: 6000 };
const others: Kind[] = [
  { derType: 'solar', deviceType: 'inverter', lowW: -7000, highW: 0 },
  { derType: 'battery', deviceType: 'inverter', lowW: -4000, highW: 4000 },
  { derType: 'ev_charger_port', deviceType: 'ev_charger', lowW: -2000, highW: 11_000 },
];

/** Makes up a home: one in twenty is a month long. */
export function generateHome(index: number): GeneratedHome {
  const random = createRandom(index + 1);
  const isLong = index % 20 === 4;
  const from = beginnings[index % beginnings.length]!;
  const to = from + (isLong ? 31 : 2) * dayMs + hourMs;
  const kinds = [meter, ...others.filter(() => random(2) < 1)];
  const ders = kinds.flatMap((kind, i) => generateDer({ kind, no: 100 * (index + 1) + i, from, to, isLong }, random));
  return { from, to, ders };
}

type Asked = { kind: Kind; no: number; from: number; to: number; isLong: boolean };

type Measures = 'power' | 'registers' | 'both';
type Event = { at: number; does: 'reset' | 'wrap' | 'replaced' | 'fell' };

function generateDer(asked: Asked, random: Random): GeneratedDer[] {
  const { kind, no, from, to, isLong } = asked;
  const measures = pick<Measures>(['power', 'registers', 'both', 'both'], random);
  const resolution = measures === 'power' ? 0 : pick([1, 1, 10, 100, 1000], random);
  const rows = rowsOf(asked, measures, random);
  const isSwapped = kind === meter && !isLong && random(8) < 1;
  const { derType, deviceType } = kind;
  const tell = (rows: Row[], number: number): GeneratedDer => {
    const events = eventsOf(rows, measures, random);
    const story = [measures, resolution, ...events.map(({ does }) => does)].join(' ');
    const told = count(rows, { measures, resolution, events }, { from, to }, random);
    return { no: number, derType, deviceType, story, ...told };
  };
  if (!isSwapped) return [tell(rows, no)];
  const half = rows.findIndex(({ at }) => at > from + dayMs); // another meter takes the place of the first
  return [tell(rows.slice(0, half), no), tell(rows.slice(half + 1), no + 50)];
}

const pick = <Value>(values: readonly Value[], random: Random): Value => values[Math.floor(random(values.length))]!;

type Row = { at: number; W: number };

/** Readings at regular or uneven intervals, with gaps. */
function rowsOf({ kind: { lowW, highW }, from, to, isLong }: Asked, measures: Measures, random: Random): Row[] {
  const rhythm = isLong ? 240_000 : pick([45_000, 90_000, 150_000, 290_000], random);
  const isUneven = random(2) < 1;
  const gaps = Array.from({ length: Math.floor(random(4)) }, () => {
    const start = from + 2 * hourMs + random(to - from - 14 * hourMs);
    return { start, end: start + 6 * minuteMs + random(8 * hourMs) };
  });
  const rows: Row[] = [];
  let W = 0;
  let isIdle = true;
  const step = (): number => (isUneven ? Math.min(2000 + random(2 * rhythm - 4000), maxSegmentMs - 1000) : rhythm);
  for (let at = from + random(10 * minuteMs); at < to; at += step()) {
    if (gaps.some(({ start, end }) => at > start && at < end)) continue;
    if (random(60) < 1) isIdle = !isIdle;
    if (isIdle) W = 0;
    else if (random(3) < 1) W = Math.round(lowW + random(highW - lowW));
    else if (measures !== 'registers') W = Math.round(Math.max(lowW, Math.min(highW, W + random(400) - 200)));
    rows.push({ at: Math.round(at), W });
  }
  return rows;
}

/** Chooses readings before which something happens to the registers. A meter that is replaced is silent for a while. */
function eventsOf(rows: Row[], measures: Measures, random: Random): Event[] {
  if (measures === 'power') return [];
  const events: Event[] = [];
  const at = (share: number): number => rows[Math.floor(rows.length * share)]!.at;
  if (random(3) < 1) events.push({ at: at(0.3 + random(0.2)), does: 'fell' });
  if (random(3) < 1) return [...events, { at: at(0), does: 'wrap' }];
  if (random(3) < 1) return [...events, { at: at(0.6 + random(0.1)), does: 'reset' }];
  if (random(3) < 1) {
    const first = Math.floor(rows.length * (0.75 + random(0.1)));
    const silentUntil = rows[first]!.at + (10 + random(60)) * minuteMs;
    const last = rows.findIndex(({ at }) => at > silentUntil);
    if (last > first) {
      rows.splice(first, last - first);
      events.push({ at: rows[first]!.at, does: 'replaced' });
    }
  }
  return events;
}

type Meter = { measures: Measures; resolution: number; events: Event[] };

/** Counts the energy of the rows as a meter with registers would, and as it was. */
function count(rows: readonly Row[], meter: Meter, { from, to }: { from: number; to: number }, random: Random) {
  const { measures, resolution, events } = meter;
  const hasPower = measures !== 'registers';
  const hasRegisters = measures !== 'power';
  // At its first step, a register does not tell how much of it is older than the first reading.
  const tolerance = 2 + (hasRegisters ? (hasPower ? resolution : 2 * resolution) : 0);
  const truth = Array.from({ length: (to - from) / quarterMs }, (): Truth => {
    return { in: 0, out: 0, estimated: 0, coveredMs: 0, tolerance };
  });
  const limit = pick([1e6, 1e8, 429_496_729.6], random);
  const isWrapping = events.some(({ does }) => does === 'wrap');
  const registers = { in: 0, out: 0 };
  const sinceBefore = { in: 0, out: 0 };
  let before: Row | undefined; // the last reading that counts
  for (const name of ['in', 'out'] as const) registers[name] = isWrapping ? limit - random(9000) : 1.8e6 + random(4e5);
  const energySince = { in: 0, out: 0 };
  let isLost = false;
  const readings: GeneratedReading[] = [];
  const nothing = { in: 0, out: 0 };
  const shown = (name: 'in' | 'out'): number => {
    const value = isWrapping ? registers[name] % limit : registers[name];
    return Math.round(Math.floor(value / resolution + 1e-9) * resolution * 10) / 10;
  };
  for (const [i, row] of rows.entries()) {
    const physical = rows[i - 1];
    const does = events.find(({ at }) => at === row.at)?.does;
    const isAbsent = hasPower && i % 7 === 3 && does === undefined;
    const isGap = before !== undefined && row.at - before.at > maxSegmentMs;
    if (physical && before) {
      const moved = integral(physical, row, physical.at, row.at);
      for (const name of ['in', 'out'] as const) {
        registers[name] += moved[name];
        sinceBefore[name] += moved[name];
        energySince[name] += moved[name];
        if (does === 'reset' || does === 'replaced') isLost = true;
        if (does === 'reset') registers[name] = moved[name] / 2; // the first half went to the old count
        if (does === 'replaced') registers[name] = pick([0, 4.1e7 + random(1e6), 9e4 + random(5e5)], random);
      }
      if (isGap && hasRegisters && isAbsent) {
        readings.push({ at: row.at, values: { W: row.W } });
        continue; // what moved in the gap is known later
      }
      if (!isGap) enterSegment(truth, from, before, row, { does, hasPower });
      else if (hasRegisters) {
        const counted = does === 'replaced' ? nothing : does === 'reset' ? registers : sinceBefore;
        enterGap(truth, from, { start: before.at, end: row.at, counted, resolution });
      }
    }
    const fell = does === 'fell' ? Math.min(2 * resolution, 9) : 0;
    before = row;
    sinceBefore.in = 0;
    sinceBefore.out = 0;
    readings.push({
      at: row.at,
      values: {
        ...(hasPower && { W: row.W }),
        ...(hasRegisters &&
          !isAbsent && { in: Math.max(0, shown('in') - fell), out: Math.max(0, shown('out') - fell) }),
      },
    });
  }
  const moved = hasRegisters && !isLost ? { ...energySince, exactTo: 2 * resolution + 2 } : undefined;
  return { readings, truth, moved };
}

type Step = { does: Event['does'] | undefined; hasPower: boolean };

/** Enters the energy between two readings that are close, by the quarter of an hour. */
function enterSegment(truth: Truth[], from: number, before: Row, row: Row, step: Step): void {
  const { does, hasPower } = step;
  const isUnknown = !hasPower && (does === 'reset' || does === 'replaced');
  const total = integral(before, row, before.at, row.at);
  for (const { quarter, start, end } of quartersOf(from, before.at, row.at)) {
    const part = truth[quarter];
    if (!part) continue;
    const { in: inward, out } = integral(before, row, start, end);
    part.in += inward;
    part.out += out;
    part.coveredMs += end - start;
    if (isUnknown) part.tolerance += total.in + total.out; // what the old count got after its last reading
    if (hasPower) continue;
    // Without a power, a register tells only when its steps were read.
    part.tolerance +=
      start === before.at && end === row.at ? 0 : (Math.abs(row.W - before.W) * (row.at - before.at)) / 8 / hourMs;
  }
}

type Gap = { start: number; end: number; counted: { in: number; out: number }; resolution: number };

/** Spreads what the registers counted in a gap. */
function enterGap(truth: Truth[], from: number, { start, end, counted, resolution }: Gap): void {
  for (const { quarter, start: first, end: last } of quartersOf(from, start, end)) {
    const part = truth[quarter];
    if (!part) continue;
    const share = (last - first) / (end - start);
    part.in += counted.in * share;
    part.out += counted.out * share;
    part.estimated += (counted.in + counted.out) * share;
    part.tolerance += resolution + 1;
  }
}

function* quartersOf(from: number, start: number, end: number) {
  for (let quarter = Math.floor((start - from) / quarterMs); from + quarter * quarterMs < end; quarter++) {
    const edge = from + quarter * quarterMs;
    yield { quarter, start: Math.max(start, edge), end: Math.min(end, edge + quarterMs) };
  }
}

/** Returns the energy of a power that runs straight between two readings, Wh in and out. */
function integral(before: Row, row: Row, from: number, to: number): { in: number; out: number } {
  const powerAt = (at: number): number => before.W + ((row.W - before.W) * (at - before.at)) / (row.at - before.at);
  const zero = before.at + (before.W / (before.W - row.W)) * (row.at - before.at);
  const cuts = zero > from && zero < to ? [from, zero, to] : [from, to];
  const sums = { in: 0, out: 0 };
  for (const [i, end] of cuts.slice(1).entries()) {
    const start = cuts[i]!;
    const middle = powerAt((start + end) / 2);
    const Wh = (Math.abs(middle) * (end - start)) / hourMs;
    if (middle > 0) sums.in += Wh;
    else sums.out += Wh;
  }
  return sums;
}
