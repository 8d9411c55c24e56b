import { holding } from './map/point.ts';
import { deviceDrivers, evcc, modbusDebug, sunspecModels } from './map/sources.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

// The addresses after model 160 depend on the number of trackers, so they are discovered. On a GEN24 hybrid, trackers 3 and 4
// are the battery. 124.InWRte and OutWRte are limits, not measurements. The Smart Meter is a separate unit:
// fronius_smart_meter.
export const fronius = sunspecProfile({
  profile: 'fronius',
  display_name: 'Fronius GEN24 / Symo / Primo',
  make: 'Fronius',
  device_type: 'inverter',
  connection_types: ['modbus_tcp'],
  kinds: ['pv', 'battery', 'meter'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /fronius/i, sunspec: /^Fronius/i },
  sources: [sunspecModels, deviceDrivers, evcc, modbusDebug],
  manufacturer: /^Fronius/i,
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
