import { sunspecModels } from './map/sources.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

// Any device that implements SunSpec, regardless of manufacturer.
export const sunspec = sunspecProfile({
  profile: 'sunspec',
  display_name: 'SunSpec device',
  make: 'SunSpec',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  kinds: ['pv', 'battery', 'meter'],
  defaults: { port: 502, unit_id: 1 },
  hints: { unit_ids: [2, 3, 126, 200, 240] },
  sources: [sunspecModels],
});
