import { holding, holdingText, phases, strings, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// The G3 map; older HYD-ES models have a different one.
export const sofar = modbusProfile({
  profile: 'sofar',
  display_name: 'SofarSolar HYD G3 hybrid',
  make: 'SofarSolar',
  hints: { vendor: /sofar/i },
  sources: ['evcc', 'modbusDebug', 'deviceDrivers', 'vendorKnowledge'],
  confidence: 'medium',
  serial: { at: holdingText(1093, 7) },
  ders: {
    pv: {
      W: sum(
        holding('u16', 1414, { scale: -10, confidence: 'high' }),
        holding('u16', 1417, { scale: -10 }),
        holding('u16', 1420, { scale: -10, optional: true }),
        holding('u16', 1423, { scale: -10, optional: true, confidence: 'low' }), // inferred from the other strings
      ),
      ...strings(holding, 'u16', [1412, 1415], { V: 0.1, A: 0.01 }),
      total_generation_Wh: holding('u32', 1670, { scale: 100 }), // 1668 is the daily energy
    },
    battery: {
      W: holding('i16', 1542, { scale: 10, confidence: 'high' }), // + charge
      V: holding('u16', 1540, { scale: 0.1 }),
      A: holding('i16', 1541, { scale: 0.01 }),
      temperature_C: holding('i16', 1543),
      SoC_nom_fract: holding('u16', 1544, { scale: 0.01, confidence: 'high' }),
      ...totals({ charge: 1686, discharge: 1690 }, (at) => holding('u32', at, { scale: 100 })),
    },
    meter: {
      W: holding('i16', 1160, { scale: -10 }), // device: + export, also per phase
      ...phases('A', [1170, 1181, 1192], (at) => holding('u16', at, { scale: 0.01 })),
      ...phases('W', [1171, 1182, 1193], (at) => holding('i16', at, { scale: -10 })),
      ...phases('V', [1165, 1176, 1187], (at) => holding('u16', at, { scale: 0.1 })),
      Hz: holding('u16', 1156, { scale: 0.01 }),
      ...totals({ import: 1678, export: 1682 }, (at) => holding('u32', at, { scale: 100 })),
    },
  },
});
