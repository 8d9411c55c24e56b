import { setImmediate } from 'node:timers/promises';
import type { RunningCloud } from '#cloud/main.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { minuteMs } from '#contract/time.ts';
import { type Counters, startFrom } from '#sim/house/state.ts';
import { createHouse, defaultSizes, type House } from '#sim/house.ts';
import type { StackDevice } from '../state-file.ts';
import { demoDevices, homeModel } from './house.ts';

const stepMs = 5 * minuteMs;
const months = 13;
const batteryMonth = 2; // the home got its battery in March
const noBattery = { ...defaultSizes, battery_W: 0 };

const registers: Record<DerKind, { in?: keyof Counters; out?: keyof Counters }> = {
  meter: { in: 'imported', out: 'exported' },
  pv: { out: 'generated' },
  battery: { in: 'charged', out: 'discharged' },
  v2x_charger: { in: 'vehicleCharged', out: 'vehicleDischarged' },
};

/** The energy of a DER in each quarter of an hour of a month, Wh. */
type PastEnergy = { sn: string; kind: DerKind; in: Float64Array; out: Float64Array };

/** Yields 13 months before a UTC midnight, oldest first, in months of UTC; the same for the same midnight. */
export function* pastYear(until: number): Generator<{ from: number; ders: PastEnergy[] }> {
  const last = new Date(until);
  const monthOf = (month: number): number => Date.UTC(last.getUTCFullYear(), month, 1);
  const thisMonth = last.getUTCMonth();
  const batteryFrom = monthOf(batteryMonth) < until ? monthOf(batteryMonth) : monthOf(batteryMonth - 12);
  const first = monthOf(thisMonth - months);
  let house = createHouse({ ...homeModel, clock: { now: () => first }, stepMs, sizes: noBattery });
  for (let month = thisMonth - months; month <= thisMonth; month++) {
    const from = monthOf(month);
    const to = Math.min(monthOf(month + 1), until);
    if (from >= to) return;
    if (from === batteryFrom) {
      const start = startFrom(house.at(from));
      house = createHouse({ ...homeModel, clock: { now: () => from }, stepMs, start });
    }
    yield { from, ders: energyOf(house, from, to, from >= batteryFrom) };
  }
}

function energyOf(house: House, from: number, to: number, hasBattery: boolean): PastEnergy[] {
  const count = (to - from) / quarterMs;
  const column = () => new Float64Array(count);
  let state = house.at(from);
  const shared: House = {
    ...house,
    at(at) {
      if (state.at !== at) state = house.at(at); // once for all devices
      return state;
    },
  };
  const ders = demoDevices.flatMap(({ sn, part, ders }) => {
    const own = part(shared);
    const present = ders.filter(({ kind }) => kind !== 'battery' || hasBattery);
    return present.map(({ kind }) => ({ sn, kind, own, before: own.at(from).Wh, in: column(), out: column() }));
  });
  for (let i = 0; i < count; i++) {
    for (const der of ders) {
      const { Wh } = der.own.at(from + (i + 1) * quarterMs);
      const { in: inward, out } = registers[der.kind];
      if (inward) der.in[i] = Wh[inward] - der.before[inward];
      if (out) der.out[i] = Wh[out] - der.before[out];
      der.before = Wh;
    }
  }
  return ders.map(({ sn, kind, in: inward, out }) => ({ sn, kind, in: inward, out }));
}

type Platform = Pick<RunningCloud, 'importEnergy'>;

/** Enters the energy of 13 months, month by month, so that the platform serves requests in between. */
export async function enterPastYear(
  { importEnergy }: Platform,
  siteId: string,
  devices: readonly StackDevice[],
  until: number,
  signal: AbortSignal,
): Promise<void> {
  for (const { from, ders } of pastYear(until)) {
    const known = ders.flatMap(({ sn, kind, ...energy }) => {
      const der = devices.find((device) => device.sn === sn)?.ders.find(({ name }) => name === kind);
      return der ? [{ der_id: der.id, ...energy }] : [];
    });
    await importEnergy(siteId, from, known);
    await setImmediate(undefined, { signal });
  }
}
