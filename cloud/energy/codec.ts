import { ByteReader, ByteWriter } from '../store/telemetry/codec/bytes.ts';
import { readIntegers, writeIntegers } from '../store/telemetry/codec/integers.ts';
import type { RegisterState } from './counter.ts';
import type { ChainState } from './fold.ts';
import { type DerDay, quartersOfDay, type SiteDay, type StoredColumn, storedColumns } from './site-day.ts';

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

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Packs the energy of a DER on a day. Of the chain states, keeps the last of each hour and the last two, or none. */
export const packDerDay = (day: DerDay, { withChains }: { withChains: boolean }): Uint8Array =>
  written(() => {
    for (const name of derColumns) writeIntegers(writer, day[name]);
    const places = withChains ? placesOfChains(day) : [];
    writer.integer(places.length);
    for (const place of places) {
      const chain = day.chains.get(place);
      if (!chain) continue;
      writer.integer(place);
      const numbers = Float64Array.from(numbersOf(chain));
      writer.block(new Uint8Array(numbers.buffer));
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
  in: sum(day.in.subarray(from, to)),
  out: sum(day.out.subarray(from, to)),
  estimated: sum(day.estimated.subarray(from, to)),
  coveredMs: sum(day.coveredMs.subarray(from, to)),
});

export const packDerTotals = (day: DerDay): Uint8Array =>
  written(() => {
    for (const total of Object.values(derTotals(day))) writer.integer(total);
  });

export function unpackDerTotals(body: Uint8Array): DerTotals {
  const from = readerOf(body);
  return { in: from.integer(), out: from.integer(), estimated: from.integer(), coveredMs: from.integer() };
}

const registerNumbers = 7;
const chainNumbers = 4 + 2 * registerNumbers;

const numbersOf = ({ at, power, powerAt, largestW, in: inward, out }: ChainState): number[] => [
  at,
  power,
  powerAt,
  largestW,
  ...[inward, out].flatMap((r) => [r.value, r.seenAt, r.changedAt, r.ahead, r.resolution, r.step, r.isAligned]),
];

function chainOf(numbers: Float64Array): ChainState {
  const [at = 0, power = 0, powerAt = 0, largestW = 0] = numbers;
  const registerAt = (first: number): RegisterState => {
    const values = numbers.subarray(first, first + registerNumbers);
    const [value = 0, seenAt = 0, changedAt = 0, ahead = 0, resolution = 0, step = 0, isAligned = 0] = values;
    return { value, seenAt, changedAt, ahead, resolution, step, isAligned };
  };
  return { at, power, powerAt, largestW, in: registerAt(4), out: registerAt(4 + registerNumbers) };
}

export const packSiteDay = (day: SiteDay): Uint8Array =>
  written(() => {
    for (const name of storedColumns) writeIntegers(writer, day[name]);
  });

export function unpackSiteDay(body: Uint8Array): SiteDay {
  const from = readerOf(body);
  return Object.fromEntries(storedColumns.map((name) => [name, readIntegers(from, quartersOfDay)])) as SiteDay;
}

/** The sums of a site on a whole UTC day; `error` is how far the load fell below zero. */
export type SiteTotals = Record<StoredColumn | 'error', number>;

export const totalNames = [...storedColumns, 'error'] as const;

export const noTotals = (): SiteTotals => ({
  import: 0,
  export: 0,
  solar: 0,
  battery_charge: 0,
  battery_discharge: 0,
  car_charge: 0,
  car_discharge: 0,
  estimated: 0,
  covered_s: 0,
  error: 0,
});

/** Adds up a whole day, or a part of it. */
export function siteTotals(day: SiteDay, from = 0, to = quartersOfDay): SiteTotals {
  const totals = noTotals();
  for (let i = from; i < to; i++) totals.error += Math.max(0, -loadAt(day, i));
  for (const name of storedColumns) for (let i = from; i < to; i++) totals[name] += day[name][i]!;
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
  return Object.fromEntries(totalNames.map((name) => [name, from.integer()])) as SiteTotals;
}
