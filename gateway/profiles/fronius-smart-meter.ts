import { holding, phases } from './map/point.ts';
import { deviceDrivers, sunspecModels } from './map/sources.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

// A separate unit of the inverter: 200 on a GEN24, 240 on an older Datamanager.
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
  // model 213 at its usual address; + import. Some tables count addresses from one.
  fixed: {
    meter: {
      W: holding('f32', 40_097),
      ...phases('W', [40_099, 40_101, 40_103], (at) => holding('f32', at)),
      ...phases('V', [40_081, 40_083, 40_085], (at) => holding('f32', at)),
      ...phases('A', [40_073, 40_075, 40_077], (at) => holding('f32', at)),
      Hz: holding('f32', 40_095),
      total_export_Wh: holding('f32', 40_129),
      total_import_Wh: holding('f32', 40_137),
    },
  },
});
