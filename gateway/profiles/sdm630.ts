import { holding, input, phases, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const sdm630 = modbusProfile({
  profile: 'sdm630',
  display_name: 'Eastron SDM630 meter',
  make: 'Eastron',
  device_type: 'energy_meter',
  hints: { vendor: /eastron/i },
  sources: ['deviceDrivers', 'modbusDebug', 'evcc'],
  confidence: 'high',
  maxBlock: 80, // longer requests are refused
  together: [{ table: 'input', address: 0, count: 76 }],
  serial: { at: holding('u32', 64512) },
  ders: {
    meter: {
      W: input('f32', 52, { confidence: 'medium' }), // + import
      ...phases('V', [0, 2, 4], (at) => input('f32', at)),
      ...phases('A', [6, 8, 10], (at) => input('f32', at)),
      ...phases('W', [12, 14, 16], (at) => input('f32', at)),
      Hz: input('f32', 70, { confidence: 'medium' }),
      ...totals({ import: 72, export: 74 }, (at) => input('f32', at, { scale: 1000, confidence: 'medium' })),
    },
  },
});
