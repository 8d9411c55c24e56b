import { siteKindOf } from '#contract/balance.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import { dayMs } from '#contract/time.ts';
import type { ChainState, QuarterRecord } from './fold.ts';

export const quartersOfDay = dayMs / quarterMs;

/** The energy of a DER on a UTC day, by the quarter of an hour: whole mWh, ms and numbers of readings. */
export type DerDay = {
  in: Float64Array;
  out: Float64Array;
  estimated: Float64Array;
  coveredMs: Float64Array;
  readings: Float64Array;
  chains: Map<number, ChainState>;
};

/** A DER of a site, as the ledger knows it. */
export type LedgerDer = {
  derType: DerTypeId;
  deviceType: DeviceTypeId;
  /** its first reading at this site, and its last, ms */
  since: number;
  lastAt: number;
};

/** The columns of a site's day that are stored; the load follows from them. */
export const storedColumns = [
  'import',
  'export',
  'solar',
  'battery_charge',
  'battery_discharge',
  'car_charge',
  'car_discharge',
  'estimated',
  'covered_s',
] as const;
export type StoredColumn = (typeof storedColumns)[number];

/** The energy of a site on a UTC day, by the quarter of an hour: whole Wh, and seconds in which all devices were measured. */
export type SiteDay = Record<StoredColumn, Float64Array>;

const column = (): Float64Array => new Float64Array(quartersOfDay);

export const emptyDerDay = (): DerDay => ({
  in: column(),
  out: column(),
  estimated: column(),
  coveredMs: column(),
  readings: column(),
  chains: new Map(),
});

export function putRecord(day: DerDay, place: number, record: QuarterRecord | undefined): void {
  day.in[place] = toMilli(record?.in);
  day.out[place] = toMilli(record?.out);
  day.estimated[place] = toMilli(record?.estimated);
  day.coveredMs[place] = Math.round(record?.coveredMs ?? 0);
  day.readings[place] = record?.readings ?? 0;
  if (record?.chain) day.chains.set(place, record.chain);
  else day.chains.delete(place);
}

const toMilli = (wh = 0): number => Math.round(wh * 1000);

/** How long a silent device still counts as one that should be measured. */
const absentAfterMs = 7 * dayMs;
/** A device that was measured for this much less than another has missing energy. */
const uncoveredMs = 60_000;

type DerOfDay = LedgerDer & { day: DerDay };

/** Adds up the DERs of a site on a UTC day that begins at `start`. */
export function composeDay(ders: readonly DerOfDay[], start: number): SiteDay {
  const day = ofColumns(column);
  const kinds = ders.map((der) => ({ ...der, kind: siteKindOf(der.derType, der.deviceType) }));
  const measured = kinds.filter(({ kind }) => kind !== undefined);
  const meters = measured.filter(({ kind }) => kind === 'meter').sort(byPreference);
  const others = measured.filter(({ kind }) => kind !== 'meter');
  for (let i = 0; i < quartersOfDay; i++) {
    const quarter = balanceQuarter(meters, others, start + i * quarterMs, i);
    day.import[i] = quarter.import;
    day.export[i] = quarter.export;
    day.solar[i] = quarter.solar;
    day.battery_charge[i] = quarter.battery_charge;
    day.battery_discharge[i] = quarter.battery_discharge;
    day.car_charge[i] = quarter.car_charge;
    day.car_discharge[i] = quarter.car_discharge;
    day.estimated[i] = quarter.estimated;
    day.covered_s[i] = quarter.covered_s;
  }
  for (const name of storedColumns) if (name !== 'covered_s') toWholeWh(day[name]);
  return day;
}

/** Makes a value for each column, in the order in which the columns are stored. */
export const ofColumns = <T>(next: () => T): Record<StoredColumn, T> => ({
  import: next(),
  export: next(),
  solar: next(),
  battery_charge: next(),
  battery_discharge: next(),
  car_charge: next(),
  car_discharge: next(),
  estimated: next(),
  covered_s: next(),
});

/** Turns mWh into whole Wh. Rounds sums since midnight, so that the sum of any range of quarters is right to the watt-hour. */
function toWholeWh(values: Float64Array): void {
  let sum = 0;
  let rounded = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!;
    const before = rounded;
    rounded = Math.round(sum / 1000);
    values[i] = rounded - before;
  }
}

/** Prefers the meter of the grid company to an inverter's own, and the one that was there first. */
const byPreference = (one: LedgerDer, other: LedgerDer): number =>
  Number(other.deviceType === 'energy_meter') - Number(one.deviceType === 'energy_meter') || one.since - other.since;

type Quarter = Record<StoredColumn, number>;

function balanceQuarter(
  meters: readonly DerOfDay[],
  others: readonly (DerOfDay & { kind?: string | undefined })[],
  start: number,
  i: number,
): Quarter {
  const sums: Quarter = {
    import: 0,
    export: 0,
    solar: 0,
    battery_charge: 0,
    battery_discharge: 0,
    car_charge: 0,
    car_discharge: 0,
    estimated: 0,
    covered_s: 0,
  };
  const grid = gridMeters(meters, start, i);
  let gridMs = 0;
  for (const { day } of grid) {
    sums.import += day.in[i]!;
    sums.export += day.out[i]!;
    sums.estimated += day.estimated[i]!;
    gridMs += day.coveredMs[i]!;
  }
  const least = { solar: Number.POSITIVE_INFINITY, battery: Number.POSITIVE_INFINITY, car: Number.POSITIVE_INFINITY };
  let most = gridMs;
  for (const der of others) {
    const { day, kind } = der;
    if (!isPresent(der, start, i)) continue;
    const coveredMs = day.coveredMs[i]!;
    most = Math.max(most, coveredMs);
    const name = kind === 'pv' ? 'solar' : kind === 'battery' ? 'battery' : 'car';
    least[name] = Math.min(least[name], coveredMs);
    if (kind === 'pv') sums.solar += day.out[i]!;
    else if (kind === 'battery') {
      sums.battery_charge += day.in[i]!;
      sums.battery_discharge += day.out[i]!;
    } else {
      sums.car_charge += day.in[i]!;
      sums.car_discharge += day.out[i]!;
    }
    sums.estimated += kind === 'pv' ? Math.min(day.estimated[i]!, day.out[i]!) : day.estimated[i]!;
  }
  const load = loadOf(sums);
  if (load < 0) {
    const isMissing = (coveredMs: number): boolean => coveredMs < most - uncoveredMs;
    const producer = isMissing(gridMs)
      ? 'import'
      : isMissing(least.solar)
        ? 'solar'
        : isMissing(least.battery)
          ? 'battery_discharge'
          : isMissing(least.car)
            ? 'car_discharge'
            : undefined;
    if (producer) {
      sums[producer] -= load;
      sums.estimated -= load;
    }
  }
  sums.covered_s = Math.floor(Math.min(gridMs, least.solar, least.battery, least.car, quarterMs) / 1000);
  return sums;
}

/** Returns the energy that the house itself used: it closes the balance. */
export const loadOf = (sums: Omit<Quarter, 'estimated' | 'covered_s'>): number =>
  sums.import +
  sums.solar +
  sums.battery_discharge +
  sums.car_discharge -
  sums.export -
  sums.battery_charge -
  sums.car_charge;

const hasData = ({ day }: DerOfDay, i: number): boolean =>
  day.coveredMs[i]! > 0 || day.readings[i]! > 0 || day.in[i]! + day.out[i]! > 0;

const isPresent = (der: DerOfDay, start: number, i: number): boolean =>
  hasData(der, i) || (der.since < start + quarterMs && der.lastAt + absentAfterMs > start);

/** Returns the preferred meter that has data, and the one that replaced it in this quarter. */
function gridMeters(meters: readonly DerOfDay[], start: number, i: number): DerOfDay[] {
  const first = meters.find((meter) => hasData(meter, i));
  if (!first) return [];
  const isIn = (at: number): boolean => at >= start && at < start + quarterMs;
  const successor = meters.find(
    (meter) =>
      meter !== first &&
      meter.deviceType === first.deviceType &&
      hasData(meter, i) &&
      isIn(meter.since) &&
      isIn(first.lastAt) &&
      meter.since >= first.lastAt,
  );
  return successor ? [first, successor] : [first];
}
