import { loadOf, type MeasuredKind } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import { isCurrentAt } from '#contract/time.ts';

/** What was read of one part of the house. */
export type Measured = {
  kind: MeasuredKind;
  deviceType: DeviceTypeId;
  reading:
    | {
        /** ms */
        timestamp: number;
        W?: number;
        SoC_nom_fract?: number;
        vehicle_soc_fract?: number;
      }
    | undefined;
};

/** A power that is not known is undefined. */
export type FlowPart = {
  kind: MeasuredKind;
  watts: number | undefined;
  atMs: number | undefined;
  fraction?: number;
};

/** What flows at a house now; a kind that nobody measures is not there. */
export type Flows = { parts: FlowPart[]; house: number | undefined; atMs: number | undefined };

const kinds: readonly MeasuredKind[] = ['pv', 'meter', 'battery', 'charger'];

/** The powers by kind, in the signs of docs/units-and-signs.md, from the newest readings of what has one grid meter. */
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
  const powers = measured.map(({ reading }) =>
    reading && isCurrentAt(reading.timestamp, nowMs) ? reading.W : undefined,
  );
  const times = measured.flatMap(({ reading }) => reading?.timestamp ?? []);
  const charges = measured.flatMap(({ reading }) => reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract ?? []);
  return {
    kind,
    watts: powers.includes(undefined) ? undefined : powers.reduce<number>((sum, watts) => sum + watts!, 0),
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

const sourceOf = { pv: 'sun', battery: 'battery', charger: 'car', meter: 'grid' } as const;

/** The same powers as what comes in and what goes out: both sides add up alike where all of them are known. */
export function sharesOf({ parts, house, atMs: houseAtMs }: Flows): Share[] {
  const shares = parts.flatMap(({ kind, watts, atMs }): Share[] => {
    if (!watts) return [];
    // A meter that imports brings power in; whatever else is positive takes it.
    const comesIn = kind === 'meter' ? watts > 0 : watts < 0;
    return [{ source: sourceOf[kind], watts: Math.abs(watts), atMs, to: comesIn ? 'in' : 'out' }];
  });
  if (house) shares.push({ source: 'house', watts: Math.abs(house), atMs: houseAtMs, to: house > 0 ? 'out' : 'in' });
  return shares;
}

/** Whose power is not known: it may come in or go out. */
export const unknownIn = ({ parts, house }: Flows): Share['source'][] => [
  ...parts.flatMap(({ kind, watts }) => (watts === undefined ? [sourceOf[kind]] : [])),
  ...(house === undefined ? (['house'] as const) : []),
];
