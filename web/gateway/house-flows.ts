import { siteKindOf, withOneGridMeter } from '#contract/balance.ts';
import { derTypeOf } from '#contract/der.ts';
import type { DerReading } from '#contract/gateway/reading.ts';
import type { Measured } from '../flow/flows.ts';
import type { HeardDevice } from './heard-devices.ts';

type MeasuringDevice = Pick<HeardDevice, 'type' | 'device_type' | 'ders' | 'readings'>;

/** What the devices of a gateway measure of the house. The meter of the grid company comes before any other. */
export function measuredBy(devices: readonly MeasuringDevice[]): Measured[] {
  const p1First = devices.toSorted((one, other) => Number(other.type === 'p1_uart') - Number(one.type === 'p1_uart'));
  const measured = p1First.flatMap(({ device_type: deviceType, ders, readings }) =>
    ders.flatMap(({ type }) => {
      const kind = siteKindOf(derTypeOf(type)!, deviceType);
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
