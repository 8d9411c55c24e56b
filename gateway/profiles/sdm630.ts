import { modbusProfile } from './map/modbus-map.ts';
import { holding, input } from './map/point.ts';
import { deviceDrivers, evcc, modbusDebug } from './map/sources.ts';

export const sdm630 = modbusProfile({
  profile: 'sdm630',
  display_name: 'Eastron SDM630 meter',
  make: 'Eastron',
  device_type: 'energy_meter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /eastron/i },
  sources: [deviceDrivers, modbusDebug, evcc],
  confidence: 'high',
  maxBlock: 80, // the meter refuses longer requests
  together: [{ table: 'input', address: 0, count: 76 }],
  serial: { at: holding('u32', 64512) },
  ders: {
    meter: {
      W: input('f32', 52, { confidence: 'medium' }), // + import
      L1_V: input('f32', 0),
      L2_V: input('f32', 2),
      L3_V: input('f32', 4),
      L1_A: input('f32', 6),
      L2_A: input('f32', 8),
      L3_A: input('f32', 10),
      L1_W: input('f32', 12),
      L2_W: input('f32', 14),
      L3_W: input('f32', 16),
      Hz: input('f32', 70, { confidence: 'medium' }),
      total_import_Wh: input('f32', 72, { scale: 1000, confidence: 'medium' }),
      total_export_Wh: input('f32', 74, { scale: 1000, confidence: 'medium' }),
    },
  },
});
