import { loadOf, type MeasuredKind, siteKindOf, withOneGridMeter } from '#contract/balance.ts';
import type { SiteReading } from '#contract/client/site-events.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';

/** What flows at a site now; a part without a reading is not there, and a power that is not known is undefined. */
export type Part = {
  kind: MeasuredKind;
  derIds: string[];
  watts: number | undefined;
  atMs: number | undefined;
  fraction?: number;
};

export type Flows = { parts: Part[]; house: number | undefined; atMs: number | undefined; grid?: SiteReading };

type Readings = ReadonlyMap<string, SiteReading>;

const kinds: readonly MeasuredKind[] = ['pv', 'meter', 'battery', 'charger'];
const oldMs = 5 * 60_000; // an older power says nothing of now

/** The powers of a site by kind, in the signs of the platform, from the newest reading of each DER. */
export function flowsOf(devices: readonly DeviceListing[], readings: Readings, nowMs: number): Flows {
  const measured = withOneGridMeter(
    devices.flatMap(({ type: deviceType, state, ders }) =>
      ders.flatMap((der) => {
        const kind = state === 'orphaned' ? undefined : siteKindOf(der.type, deviceType);
        return kind ? [{ kind, deviceType, derId: der.id, reading: readings.get(der.id) }] : [];
      }),
    ),
  );
  const parts = kinds.flatMap((kind) => {
    const ofKind = measured.filter((each) => each.kind === kind);
    return ofKind.length > 0 ? [partOf(kind, ofKind, nowMs)] : [];
  });
  const times = parts.flatMap(({ atMs }) => atMs ?? []);
  const grid = measured.find(({ kind }) => kind === 'meter')?.reading;
  const hasMeter = parts.some(({ kind }) => kind === 'meter');
  return {
    parts,
    house: hasMeter ? loadOf(parts) : undefined,
    atMs: times.length > 0 ? Math.min(...times) : undefined,
    ...(grid && { grid }),
  };
}

type Measured = { derId: string; reading: SiteReading | undefined };

function partOf(kind: MeasuredKind, ders: readonly Measured[], nowMs: number): Part {
  const powers = ders.map(({ reading }) => (reading && nowMs - reading.timestamp < oldMs ? reading.W : undefined));
  const times = ders.flatMap(({ reading }) => reading?.timestamp ?? []);
  const charges = ders.flatMap(({ reading }) => reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract ?? []);
  return {
    kind,
    derIds: ders.map(({ derId }) => derId),
    watts: powers.includes(undefined) ? undefined : powers.reduce<number>((sum, watts) => sum + watts!, 0),
    atMs: times.length > 0 ? Math.min(...times) : undefined,
    ...(charges.length > 0 && { fraction: charges.reduce((sum, each) => sum + each, 0) / charges.length }),
  };
}

export type Share = { source: 'sun' | 'battery' | 'grid' | 'car' | 'house'; watts: number; to: 'in' | 'out' };

/** The same powers as what comes in and what goes out: both sides add up alike. */
export function sharesOf({ parts, house }: Flows): Share[] {
  const names = { pv: 'sun', battery: 'battery', charger: 'car', meter: 'grid' } as const;
  const shares = parts.flatMap(({ kind, watts }): Share[] => {
    if (!watts) return [];
    // A meter that imports brings power in; whatever else is positive takes it.
    const comesIn = kind === 'meter' ? watts > 0 : watts < 0;
    return [{ source: names[kind], watts: Math.abs(watts), to: comesIn ? 'in' : 'out' }];
  });
  if (house) shares.push({ source: 'house', watts: Math.abs(house), to: house > 0 ? 'out' : 'in' });
  return shares;
}
