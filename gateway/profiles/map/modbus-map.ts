import { type DerKind, derKinds } from '#contract/gateway/reading.ts';
import type { ModbusProfile } from '../modbus-profile.ts';
import type { DeviceMap } from './device-map.ts';
import { recognise } from './recognise.ts';

/** A profile from a register map. */
export function modbusProfile(map: DeviceMap): ModbusProfile {
  const offered = ('ders' in map ? [map.ders] : map.variants.map(({ ders }) => ders)).flatMap(Object.keys);
  return {
    ...map,
    kinds: derKinds.filter((kind: DerKind) => offered.includes(kind)),
    recognise: (read) => recognise(map, read),
  };
}
