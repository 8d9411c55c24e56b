import { holding } from './map/point.ts';
import { deviceDrivers, sunspecModels } from './map/sources.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

// A unit of its own behind the inverter: 200 on a GEN24, 240 on an older Datamanager.
export const froniusSmartMeter = sunspecProfile({
  profile: 'fronius_smart_meter',
  display_name: 'Fronius Smart Meter',
  make: 'Fronius',
  device_type: 'energy_meter',
  connection_types: ['modbus_tcp'],
  kinds: ['meter'],
  defaults: { port: 502, unit_id: 200 },
  hints: { unit_ids: [240, 1], vendor: /fronius/i, sunspec: /^Fronius/i },
  sources: [sunspecModels, deviceDrivers],
  manufacturer: /^Fronius/i,
  // model 213 in its usual place; + import. Some tables count addresses from one.
  fixed: {
    meter: {
      W: holding('f32', 40_097),
      L1_W: holding('f32', 40_099),
      L2_W: holding('f32', 40_101),
      L3_W: holding('f32', 40_103),
      L1_V: holding('f32', 40_081),
      L2_V: holding('f32', 40_083),
      L3_V: holding('f32', 40_085),
      L1_A: holding('f32', 40_073),
      L2_A: holding('f32', 40_075),
      L3_A: holding('f32', 40_077),
      Hz: holding('f32', 40_095),
      total_export_Wh: holding('f32', 40_129),
      total_import_Wh: holding('f32', 40_137),
    },
  },
});
