import { siteKindOf, withOneGridMeter } from '#contract/balance.ts';
import { derTypeOf } from '#contract/der.ts';
import type { DerReading } from '#contract/gateway/reading.ts';
import type { Measured } from '../flow/flows.ts';
import type { DeviceWithReadings } from './devices.ts';

type MeasuringDevice = Pick<DeviceWithReadings, 'type' | 'device_type' | 'ders' | 'readings'>;

/** Returns what the devices measure, with one grid meter. The P1 meter takes priority over any other. */
export function measuredParts(devices: readonly MeasuringDevice[]): Measured[] {
  const p1First = devices.toSorted((one, other) => Number(other.type === 'p1_uart') - Number(one.type === 'p1_uart'));
  const measured = p1First.flatMap(({ device_type: deviceType, ders, readings }) =>
    ders.flatMap(({ type }) => {
      const kind = siteKindOf(derTypeOf(type), deviceType);
      return kind ? [{ kind, deviceType, reading: powerOf(readings[type]) }] : [];
    }),
  );
  return withOneGridMeter(measured);
}

function powerOf(reading: DerReading | undefined): Measured['reading'] {
  if (!reading) return undefined;
  const known = (['W', 'SoC_nom_fract', 'vehicle_soc_fract'] as const).flatMap((name) =>
    typeof reading[name] === 'number' ? [[name, reading[name]]] : [],
  );
  return { timestamp: reading.timestamp, ...Object.fromEntries(known) };
}
