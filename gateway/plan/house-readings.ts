import { isSubMeter, withOneGridMeter } from '#contract/balance.ts';
import { derTypeOf } from '#contract/der.ts';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import type { GatewayPlan } from '#contract/gateway-plan.ts';
import type { Device } from '../devices/device.ts';
import { findControl } from '../profiles/control/index.ts';
import { maxReadingAgeMs, type Readings } from './rule.ts';

/** The part of a device that a plan needs. */
export type PlannedDevice = Pick<Device, 'sn' | 'profile' | 'kept' | 'ders' | 'isConnected' | 'silentMs' | 'snapshot'>;

type IsFree = (sn: string, part: 'battery' | 'pv') => boolean;

const volts = 230;

const numberOf = (reading: DerReading | undefined, name: string): number | undefined => {
  const value = reading?.[name];
  return typeof value === 'number' ? value : undefined;
};

/** Returns the last reading of a DER, unless it is too old. */
function freshReading(device: PlannedDevice, kind: DerKind): DerReading | undefined {
  if (!device.isConnected || device.silentMs([kind]) > maxReadingAgeMs) return undefined;
  return device.snapshot('later')?.[kind];
}

/** Returns what the devices have measured, as far as the plan needs it. */
export function houseReadings(plan: GatewayPlan, devices: readonly PlannedDevice[], isFree: IsFree): Readings {
  const bySn = new Map(devices.map((device) => [device.sn, device]));
  const storages: [string, Readings['storages'] extends ReadonlyMap<string, infer Reading> ? Reading : never][] = [];
  for (const { id, sn, kind, capacity_wh } of plan.storages) {
    const device = bySn.get(sn);
    const reading = device && freshReading(device, kind === 'car' ? 'v2x_charger' : 'battery');
    if (!reading || !isFree(sn, 'battery')) continue;
    const level = numberOf(reading, kind === 'car' ? 'vehicle_soc_fract' : 'SoC_nom_fract');
    storages.push([
      id,
      {
        W: numberOf(reading, 'W'),
        wh: level === undefined ? undefined : level * capacity_wh,
        phase_A: phasesOf(reading),
        minPauseMs: findControl(device.profile.profile)?.setpointPauseMs,
      },
    ]);
  }
  const inverters = (plan.solar ?? []).flatMap((sn): [string, number | undefined][] => {
    const device = bySn.get(sn);
    const reading = device && freshReading(device, 'pv');
    const W = numberOf(reading, 'W');
    return reading && isFree(sn, 'pv') ? [[sn, W === undefined ? undefined : Math.max(0, -W)]] : [];
  });
  const cars = devices.map((device) => Math.max(0, numberOf(freshReading(device, 'v2x_charger'), 'W') ?? 0));
  return {
    grid: gridOf(devices),
    storages: new Map(storages),
    cars_W: cars.reduce((sum, W) => sum + W, 0),
    solar: new Map(inverters),
  };
}

/** Returns the last reading of the grid meter. The meter of the grid company takes priority over that of an inverter. */
function gridOf(devices: readonly PlannedDevice[]): Readings['grid'] {
  const p1First = devices.toSorted((one, other) => rankOf(one) - rankOf(other));
  const meters = p1First.flatMap((device) => {
    const deviceType = device.profile.device_type;
    const hasMeter = device.ders.some(({ type }) => type === 'meter') && !isSubMeter(derTypeOf('meter'), deviceType);
    return hasMeter ? [{ kind: 'meter' as const, deviceType, device }] : [];
  });
  const [meter] = withOneGridMeter(meters);
  const reading = meter && freshReading(meter.device, 'meter');
  const W = numberOf(reading, 'W');
  return reading && W !== undefined ? { at: reading.timestamp, W, phase_A: phasesOf(reading) } : undefined;
}

const rankOf = ({ kept }: PlannedDevice): number => (kept.connection.type === 'p1_uart' ? 0 : 1);

/** Returns the currents of the phases, with the sign of the power; undefined where one is missing. */
function phasesOf(reading: DerReading): number[] | undefined {
  const [L1, ...others] = ['L1', 'L2', 'L3'].map((phase) => currentOf(reading, phase));
  if (L1 === undefined) return undefined;
  if (others.every((A) => A === undefined)) return [L1];
  const all = [L1, ...others].filter((A) => A !== undefined);
  return all.length === 3 ? all : undefined;
}

/** A meter that reports no power of a phase reports its current as a magnitude. */
function currentOf(reading: DerReading, phase: string): number | undefined {
  const [W, A] = [numberOf(reading, `${phase}_W`), numberOf(reading, `${phase}_A`)];
  if (W !== undefined) return W / (numberOf(reading, `${phase}_V`) || volts);
  return A === undefined || A < 0 ? A : A * (Math.sign(numberOf(reading, 'W') ?? 1) || 1);
}
