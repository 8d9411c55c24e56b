import { modbusProfile } from './map/modbus-map.ts';
import { input, inputText } from './map/point.ts';
import { deviceDrivers, vendorKnowledge } from './map/sources.ts';

export const carloGavazziEm340 = modbusProfile({
  profile: 'carlo_gavazzi_em340',
  display_name: 'Carlo Gavazzi EM340/EM24 meter',
  make: 'Carlo Gavazzi',
  device_type: 'energy_meter',
  connection_types: ['modbus_rtu', 'modbus_tcp'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /gavazzi/i },
  sources: [deviceDrivers, vendorKnowledge],
  confidence: 'medium',
  wordOrder: 'little',
  serial: { at: inputText(20480, 7), confidence: 'low' },
  ders: {
    meter: {
      W: input('i32', 40, { scale: 0.1 }), // + import
      L1_V: input('i32', 0, { scale: 0.1 }),
      L2_V: input('i32', 2, { scale: 0.1 }),
      L3_V: input('i32', 4, { scale: 0.1 }),
      L1_A: input('i32', 12, { scale: 0.001 }), // 6 to 11 are the voltages between phases
      L2_A: input('i32', 14, { scale: 0.001 }),
      L3_A: input('i32', 16, { scale: 0.001 }),
      L1_W: input('i32', 18, { scale: 0.1 }),
      L2_W: input('i32', 20, { scale: 0.1 }),
      L3_W: input('i32', 22, { scale: 0.1 }),
      Hz: input('u16', 51, { scale: 0.1 }),
      total_import_Wh: input('i32', 52, { scale: 100 }),
      total_export_Wh: input('i32', 78, { scale: 100 }),
    },
  },
});
