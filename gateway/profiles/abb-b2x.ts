import { modbusProfile } from './map/modbus-map.ts';
import { holding } from './map/point.ts';
import { deviceDrivers, vendorKnowledge } from './map/sources.ts';

export const abbB2x = modbusProfile({
  profile: 'abb_b2x',
  display_name: 'ABB B23/B24 meter',
  make: 'ABB',
  device_type: 'energy_meter',
  connection_types: ['modbus_rtu', 'modbus_tcp'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /\bABB\b/ },
  sources: [deviceDrivers, vendorKnowledge],
  confidence: 'medium',
  serial: { at: holding('u32', 35072), confidence: 'low' },
  ders: {
    meter: {
      W: holding('i32', 23316, { scale: 0.01 }), // + import
      L1_W: holding('i32', 23318, { scale: 0.01 }),
      L2_W: holding('i32', 23320, { scale: 0.01 }),
      L3_W: holding('i32', 23322, { scale: 0.01 }),
      L1_V: holding('u32', 23296, { scale: 0.1 }),
      L2_V: holding('u32', 23298, { scale: 0.1 }),
      L3_V: holding('u32', 23300, { scale: 0.1 }),
      L1_A: holding('u32', 23308, { scale: 0.01 }),
      L2_A: holding('u32', 23310, { scale: 0.01 }),
      L3_A: holding('u32', 23312, { scale: 0.01 }),
      Hz: holding('u16', 23340, { scale: 0.01 }),
      total_import_Wh: holding('u64', 20480, { scale: 10 }),
      total_export_Wh: holding('u64', 20484, { scale: 10 }),
    },
  },
});
