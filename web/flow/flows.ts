import { loadOf, type MeasuredKind } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import { isCurrentAt } from '#contract/time.ts';
import { texts } from '../parts/text.ts';

/** The latest reading of one part of the house. */
export type Measured = {
  kind: MeasuredKind;
  deviceType: DeviceTypeId;
  reading: { timestamp: number; W?: number; SoC_nom_fract?: number; vehicle_soc_fract?: number } | undefined;
};

/** The power of all parts of a kind; undefined when it is unknown. */
export type FlowPart = {
  kind: MeasuredKind;
  watts: number | undefined;
  atMs: number | undefined;
  fraction?: number;
};

/** The current powers of a house, by the kinds that are measured. */
export type Flows = { parts: FlowPart[]; house: number | undefined; atMs: number | undefined };

const kinds: readonly MeasuredKind[] = ['pv', 'meter', 'battery', 'charger'];

/** Adds up the powers by kind, with the signs of docs/units-and-signs.md. `measured` has at most one grid meter. */
export function flowsFrom(measured: readonly Measured[], nowMs: number): Flows {
  const parts = kinds.flatMap((kind) => {
    const ofKind = measured.filter((each) => each.kind === kind);
    return ofKind.length > 0 ? [partOf(kind, ofKind, nowMs)] : [];
  });
  const times = parts.flatMap(({ atMs }) => atMs ?? []);
  const hasMeter = parts.some(({ kind }) => kind === 'meter');
  return {
    parts,
    house: hasMeter ? loadOf(parts) : undefined,
    atMs: times.length > 0 ? Math.min(...times) : undefined,
  };
}

function partOf(kind: MeasuredKind, measured: readonly Measured[], nowMs: number): FlowPart {
  const powers = measured.flatMap(({ reading }) =>
    reading?.W !== undefined && isCurrentAt(reading.timestamp, nowMs) ? [reading.W] : [],
  );
  const times = measured.flatMap(({ reading }) => reading?.timestamp ?? []);
  const charges = measured.flatMap(({ reading }) => reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract ?? []);
  return {
    kind,
    watts: powers.length < measured.length ? undefined : powers.reduce((sum, watts) => sum + watts, 0),
    atMs: times.length > 0 ? Math.min(...times) : undefined,
    ...(charges.length > 0 && { fraction: charges.reduce((sum, each) => sum + each, 0) / charges.length }),
  };
}

export type Share = {
  source: 'sun' | 'battery' | 'grid' | 'car' | 'house';
  watts: number;
  atMs: number | undefined;
  to: 'in' | 'out';
};

export const sourceOf = { pv: 'sun', battery: 'battery', charger: 'car', meter: 'grid' } as const;

/** Whether a power flows into the house: a positive meter imports, any other positive part consumes. */
export const comesIn = ({ kind, watts = 0 }: FlowPart): boolean => (kind === 'meter' ? watts >= 0 : watts < 0);

/** Splits the powers into incoming and outgoing ones. Both sides have the same sum where all powers are known. */
export function sharesOf({ parts, house, atMs: houseAtMs }: Flows): Share[] {
  const shares = parts.flatMap((part): Share[] => {
    const { kind, watts, atMs } = part;
    return watts ? [{ source: sourceOf[kind], watts: Math.abs(watts), atMs, to: comesIn(part) ? 'in' : 'out' }] : [];
  });
  if (house) shares.push({ source: 'house', watts: Math.abs(house), atMs: houseAtMs, to: house > 0 ? 'out' : 'in' });
  return shares;
}

export const unknownIn = ({ parts, house }: Flows): Share['source'][] => [
  ...parts.flatMap(({ kind, watts }) => (watts === undefined ? [sourceOf[kind]] : [])),
  ...(house === undefined ? (['house'] as const) : []),
];

export const sourceWords = texts({
  sun: 'Solar',
  battery: 'Battery',
  grid: 'Grid',
  car: 'Car',
  house: 'House',
});

export const colourOf = ({ source, to }: Pick<Share, 'source' | 'to'>): string =>
  source === 'grid' ? (to === 'in' ? 'grid-in' : 'grid-out') : source;
