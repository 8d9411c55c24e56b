import { input, inputText, phases, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const carloGavazziEm340 = modbusProfile({
  profile: 'carlo_gavazzi_em340',
  display_name: 'Carlo Gavazzi EM340/EM24 meter',
  make: 'Carlo Gavazzi',
  device_type: 'energy_meter',
  connection_types: ['modbus_rtu', 'modbus_tcp'],
  hints: { vendor: /gavazzi/i },
  sources: ['deviceDrivers', 'vendorKnowledge'],
  confidence: 'medium',
  wordOrder: 'little',
  serial: { at: inputText(20480, 7), confidence: 'low' },
  ders: {
    meter: {
      W: input('i32', 40, { scale: 0.1 }), // + import
      ...phases('V', [0, 2, 4], (at) => input('i32', at, { scale: 0.1 })),
      ...phases('A', [12, 14, 16], (at) => input('i32', at, { scale: 0.001 })), // 6 to 11 are the line-to-line voltages
      ...phases('W', [18, 20, 22], (at) => input('i32', at, { scale: 0.1 })),
      Hz: input('u16', 51, { scale: 0.1 }),
      ...totals({ import: 52, export: 78 }, (at) => input('i32', at, { scale: 100 })),
    },
  },
});
