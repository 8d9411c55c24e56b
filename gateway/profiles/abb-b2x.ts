import { holding, phases, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const abbB2x = modbusProfile({
  profile: 'abb_b2x',
  display_name: 'ABB B23/B24 meter',
  make: 'ABB',
  device_type: 'energy_meter',
  connection_types: ['modbus_rtu', 'modbus_tcp'],
  hints: { vendor: /\bABB\b/ },
  sources: ['deviceDrivers', 'vendorKnowledge'],
  confidence: 'medium',
  serial: { at: holding('u32', 35072), confidence: 'low' },
  ders: {
    meter: {
      W: holding('i32', 23316, { scale: 0.01 }), // + import
      ...phases('W', [23318, 23320, 23322], (at) => holding('i32', at, { scale: 0.01 })),
      ...phases('V', [23296, 23298, 23300], (at) => holding('u32', at, { scale: 0.1 })),
      ...phases('A', [23308, 23310, 23312], (at) => holding('u32', at, { scale: 0.01 })),
      Hz: holding('u16', 23340, { scale: 0.01 }),
      ...totals({ import: 20480, export: 20484 }, (at) => holding('u64', at, { scale: 10 })),
    },
  },
});
