import { ByteReader, ByteWriter } from '../store/telemetry/codec/bytes.ts';
import { readIntegers, writeUncompressed } from '../store/telemetry/codec/integers.ts';
import type { RegisterState } from './counter.ts';
import type { ChainState } from './fold.ts';
import { type DerDay, ofColumns, quartersOfDay, type SiteDay, type StoredColumn, storedColumns } from './site-day.ts';

const version = 1;
const derColumns = ['in', 'out', 'estimated', 'coveredMs', 'readings'] as const;
const quartersOfHour = 4;
const writer = new ByteWriter();

function written(write: () => void): Uint8Array {
  writer.clear();
  writer.integer(version);
  write();
  return writer.done().slice();
}

function readerOf(body: Uint8Array): ByteReader {
  const from = new ByteReader(body);
  const found = from.integer();
  if (found !== version) throw new RangeError(`The energy of a day is stored in format ${found}, not ${version}.`);
  return from;
}

function sum(values: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total;
}

/** Packs the energy of a DER on a day. Of the chain states, keeps the last of each hour and the last two, or none. */
export const packDerDay = (day: DerDay, { withChains }: { withChains: boolean }): Uint8Array =>
  written(() => {
    for (const name of derColumns) writeUncompressed(writer, day[name]);
    const places = withChains ? placesOfChains(day) : [];
    writer.integer(places.length);
    for (const place of places) {
      const chain = day.chains.get(place);
      if (!chain) continue;
      writer.integer(place);
      writer.block(bytesOf(chain));
    }
  });

function placesOfChains({ chains }: DerDay): number[] {
  const places = [...chains.keys()].sort((a, b) => a - b);
  const hourOf = (place: number | undefined): number => Math.floor((place ?? -1) / quartersOfHour);
  return places.filter((place, i) => hourOf(place) !== hourOf(places[i + 1]) || i >= places.length - 2);
}

export function unpackDerDay(body: Uint8Array): DerDay {
  const from = readerOf(body);
  const [inWh, out, estimated, coveredMs, readings] = [0, 1, 2, 3, 4].map(() => readIntegers(from, quartersOfDay)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const chains = new Map<number, ChainState>();
  for (let left = from.integer(); left > 0; left--) {
    const place = from.integer();
    const bytes = from.block(chainNumbers * Float64Array.BYTES_PER_ELEMENT).slice();
    chains.set(place, chainOf(new Float64Array(bytes.buffer)));
  }
  return { in: inWh, out, estimated, coveredMs, readings, chains };
}

/** The sums of a DER on a whole day: mWh and ms. */
export type DerTotals = { in: number; out: number; estimated: number; coveredMs: number };

/** Adds up a day of a DER, or a part of it. */
export const derTotals = (day: DerDay, from = 0, to = quartersOfDay): DerTotals => ({
  in: sum(day.in, from, to),
  out: sum(day.out, from, to),
  estimated: sum(day.estimated, from, to),
  coveredMs: sum(day.coveredMs, from, to),
});

export const packDerTotals = (day: DerDay): Uint8Array =>
  written(() => {
    const totals = derTotals(day);
    for (const name of derTotalNames) writer.integer(totals[name]);
  });

const derTotalNames = ['in', 'out', 'estimated', 'coveredMs'] as const;

export function unpackDerTotals(body: Uint8Array): DerTotals {
  const from = readerOf(body);
  return { in: from.integer(), out: from.integer(), estimated: from.integer(), coveredMs: from.integer() };
}

const registerNumbers = 7;
const chainNumbers = 4 + 2 * registerNumbers;

const chainBuffer = new Float64Array(chainNumbers);
const chainBytes = new Uint8Array(chainBuffer.buffer);

/** Returns the bytes of a chain state, until the next call. */
function bytesOf({ at, power, powerAt, largestW, in: inward, out }: ChainState): Uint8Array {
  chainBuffer[0] = at;
  chainBuffer[1] = power;
  chainBuffer[2] = powerAt;
  chainBuffer[3] = largestW;
  writeRegister(inward, 4);
  writeRegister(out, 4 + registerNumbers);
  return chainBytes;
}

function writeRegister(register: RegisterState, first: number): void {
  chainBuffer[first] = register.value;
  chainBuffer[first + 1] = register.seenAt;
  chainBuffer[first + 2] = register.changedAt;
  chainBuffer[first + 3] = register.ahead;
  chainBuffer[first + 4] = register.resolution;
  chainBuffer[first + 5] = register.step;
  chainBuffer[first + 6] = register.isAligned;
}

function chainOf(numbers: Float64Array): ChainState {
  const [at = 0, power = 0, powerAt = 0, largestW = 0] = numbers;
  const registerAt = (first: number): RegisterState => {
    return {
      value: numbers[first]!,
      seenAt: numbers[first + 1]!,
      changedAt: numbers[first + 2]!,
      ahead: numbers[first + 3]!,
      resolution: numbers[first + 4]!,
      step: numbers[first + 5]!,
      isAligned: numbers[first + 6]!,
    };
  };
  return { at, power, powerAt, largestW, in: registerAt(4), out: registerAt(4 + registerNumbers) };
}

export const packSiteDay = (day: SiteDay): Uint8Array =>
  written(() => {
    for (const name of storedColumns) writeUncompressed(writer, day[name]);
  });

export function unpackSiteDay(body: Uint8Array): SiteDay {
  const from = readerOf(body);
  return ofColumns(() => readIntegers(from, quartersOfDay));
}

/** The sums of a site on a whole UTC day; `error` is how far the load fell below zero. */
export type SiteTotals = Record<StoredColumn | 'error', number>;

export const totalNames = [...storedColumns, 'error'] as const;

/** Makes sums from their values, in the order in which they are stored. */
const totalsOf = (next: () => number): SiteTotals => ({ ...ofColumns(next), error: next() });

export const noTotals = (): SiteTotals => totalsOf(() => 0);

/** Adds quarters of a day to sums. */
export function addQuarters(totals: SiteTotals, day: SiteDay, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    totals.import += day.import[i]!;
    totals.export += day.export[i]!;
    totals.solar += day.solar[i]!;
    totals.battery_charge += day.battery_charge[i]!;
    totals.battery_discharge += day.battery_discharge[i]!;
    totals.car_charge += day.car_charge[i]!;
    totals.car_discharge += day.car_discharge[i]!;
    totals.estimated += day.estimated[i]!;
    totals.covered_s += day.covered_s[i]!;
    totals.error += Math.max(0, -loadAt(day, i));
  }
}

export function siteTotals(day: SiteDay): SiteTotals {
  const totals = noTotals();
  addQuarters(totals, day, 0, quartersOfDay);
  return totals;
}

/** Returns the load of a quarter of a day. */
export const loadAt = (day: SiteDay, i: number): number =>
  day.import[i]! +
  day.solar[i]! +
  day.battery_discharge[i]! +
  day.car_discharge[i]! -
  day.export[i]! -
  day.battery_charge[i]! -
  day.car_charge[i]!;

export const packSiteTotals = (totals: SiteTotals): Uint8Array =>
  written(() => {
    for (const name of totalNames) writer.integer(totals[name]);
  });

export function unpackSiteTotals(body: Uint8Array): SiteTotals {
  const from = readerOf(body);
  return totalsOf(() => from.integer());
}
