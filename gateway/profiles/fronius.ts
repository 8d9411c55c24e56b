import { holding, phases, totals } from './map/point.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

const hints = { vendor: /fronius/i, sunspec: /^Fronius/i };
const common = { make: 'Fronius', connection_types: ['modbus_tcp'], manufacturer: hints.sunspec, hints } as const;

// The addresses after model 160 depend on the number of trackers. On a GEN24 hybrid, trackers 3 and 4 are the battery.
// 124.InWRte and OutWRte are limits, not measurements.
export const fronius = sunspecProfile({
  ...common,
  profile: 'fronius',
  display_name: 'Fronius GEN24 / Symo / Primo',
  kinds: ['pv', 'battery', 'meter'],
  sources: ['sunspecModels', 'deviceDrivers', 'evcc', 'modbusDebug'],
  // model 113 at its usual address
  fixed: {
    pv: {
      W: holding('f32', 40_091, { scale: -1 }),
      dc_W: holding('f32', 40_107, { scale: -1 }),
      total_generation_Wh: holding('f32', 40_101),
      heatsink_C: holding('f32', 40_111),
    },
    meter: { Hz: holding('f32', 40_093, { optional: true }) },
  },
});

// A separate unit of the inverter: 200 on a GEN24, 240 on an older Datamanager.
export const froniusSmartMeter = sunspecProfile({
  ...common,
  profile: 'fronius_smart_meter',
  display_name: 'Fronius Smart Meter',
  device_type: 'energy_meter',
  kinds: ['meter'],
  defaults: { port: 502, unit_id: 200 },
  hints: { ...hints, unit_ids: [240, 1] },
  sources: ['sunspecModels', 'deviceDrivers'],
  // model 213 at its usual address; + import. Some tables count addresses from one.
  fixed: {
    meter: {
      W: holding('f32', 40_097),
      ...phases('W', [40_099, 40_101, 40_103], (at) => holding('f32', at)),
      ...phases('V', [40_081, 40_083, 40_085], (at) => holding('f32', at)),
      ...phases('A', [40_073, 40_075, 40_077], (at) => holding('f32', at)),
      Hz: holding('f32', 40_095),
      ...totals({ export: 40_129, import: 40_137 }, (at) => holding('f32', at)),
    },
  },
});
