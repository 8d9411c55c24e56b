import { holdingText, input, phases, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const solax = modbusProfile({
  profile: 'solax',
  display_name: 'SolaX X1/X3 hybrid',
  make: 'SolaX',
  hints: { vendor: /solax/i },
  sources: ['evcc', 'modbusDebug', 'deviceDrivers', 'vendorKnowledge'],
  confidence: 'medium',
  wordOrder: 'little',
  serial: { at: holdingText(0, 7) },
  ders: {
    pv: {
      W: sum(input('u16', 10, { scale: -1 }), input('u16', 11, { scale: -1 })),
      total_generation_Wh: input('u32', 148, { scale: 100 }),
    },
    battery: {
      W: input('i16', 22, { confidence: 'high' }), // + charge
      V: input('u16', 20, { scale: 0.1 }),
      A: input('i16', 21, { scale: 0.1 }),
      temperature_C: input('i16', 24),
      SoC_nom_fract: input('u16', 28, { scale: 0.01, confidence: 'high' }),
      ...totals({ discharge: 29, charge: 33 }, (at) => input('u32', at, { scale: 100 })),
    },
    meter: {
      W: input('i32', 70, { scale: -1 }), // device: + export
      total_export_Wh: input('u32', 72, { scale: 10 }),
      total_import_Wh: input('u32', 74, { scale: 10, confidence: 'high' }), // 0.1 kWh in one source
      ...phases('V', [202, 203, 204], (at) => input('u16', at, { scale: 0.1 })),
      ...phases('A', [206, 207, 208], (at) => input('i16', at, { scale: 0.1 })),
      Hz: input('u16', 7, { scale: 0.01, between: [45, 65], optional: true }), // another quantity on three-phase models
    },
  },
});
