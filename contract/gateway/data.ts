import { routesOf } from '../route.ts';
import { OneOf, optional, type Static, Titled, Type, texts } from '../schema.ts';
import { DerReading } from './reading.ts';

const local = routesOf({ tag: 'Data', access: 'local' });

export const Snapshot = Titled('Snapshot', {
  ...optional({ pv: DerReading, battery: DerReading, meter: DerReading, v2x_charger: DerReading }),
  version: OneOf(['v1']),
  format: Type.String({ description: 'json; the profile name in the earlier form' }),
});
export type Snapshot = Static<typeof Snapshot>;

export const getData = local.get(
  '/api/devices/{sn}/data/json',
  'Get the latest reading of each DER of a device; 204 before the first reading',
  { replies: { 200: Snapshot, 204: null }, problems: ['not_found', 'device_busy'] },
);

export const RawData = Titled('RawData', {
  format: Type.String({ description: 'the connection type' }),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type RawData = Static<typeof RawData>;

export const getRawData = local.get('/api/devices/{sn}/data/raw', 'Get the last raw data of a device', {
  description:
    'P1: {ts, device_id, obis}. Modbus: {ts, unit_id, images}. MQTT: {ts, topics}. 204 before the first data.',
  replies: { 200: RawData, 204: null },
  problems: ['not_found', 'device_busy'],
});

export const DebugData = Titled('DebugData', {
  sn: Type.String(),
  ...optional({
    ...texts('device_type', 'message'),
    last_failed_ts: Type.Integer({ description: 'ms' }),
    last_failed_type: Type.Integer({ description: '0=ASCII, 1=HDLC, 2=MBUS' }),
    last_failed_size: Type.Integer({ description: 'bytes' }),
    last_failed_hex: Type.String({ description: 'up to 256 bytes' }),
    last_failed_ascii: Type.String(),
  }),
});
export type DebugData = Static<typeof DebugData>;

export const getDebugData = local.get(
  '/api/devices/{sn}/data/debug',
  'Get the last frame of a P1 meter that failed its check',
  { replies: { 200: DebugData }, problems: ['not_found'] },
);

export const dataRoutes = local.all;
