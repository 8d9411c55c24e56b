import { holding, holdingText, phases, strings, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const solinteg = modbusProfile({
  profile: 'solinteg',
  display_name: 'Solinteg MHT/MHS hybrid',
  make: 'Solinteg',
  hints: { vendor: /solinteg/i },
  sources: ['deviceDrivers', 'evcc', 'vendorKnowledge'],
  confidence: 'medium',
  serial: { at: holdingText(10000, 8), confidence: 'low' },
  ders: {
    pv: {
      W: holding('u32', 11028, { scale: -1, confidence: 'high' }),
      ...strings(holding, 'u16', [11038, 11040], { V: 0.1, A: 0.1 }),
      total_generation_Wh: holding('u32', 31112, { scale: 100 }),
    },
    battery: {
      W: holding('i32', 30258, { scale: -1, confidence: 'high' }), // device: + discharge
      V: holding('u16', 30254, { scale: 0.1 }),
      A: holding('i16', 30255, { scale: -0.1 }),
      SoC_nom_fract: holding('u16', 33000, { scale: 0.0001, confidence: 'high' }),
      ...totals({ charge: 31108, discharge: 31110 }, (at) => holding('u32', at, { scale: 100 })),
    },
    meter: {
      W: holding('i32', 11000, { scale: -1, confidence: 'high' }), // device: + export, also per phase
      ...phases('W', [10994, 10996, 10998], (at) => holding('i32', at, { scale: -1, confidence: 'high' })),
      ...phases('V', [11009, 11011, 11013], (at) => holding('u16', at, { scale: 0.1 })),
      Hz: holding('u16', 11015, { scale: 0.01 }),
      ...totals({ export: 11002, import: 11004 }, (at) => holding('u32', at, { scale: 10 })),
    },
  },
});
