import { holding, holdingText, phases, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const alphaEss = modbusProfile({
  profile: 'alpha_ess',
  display_name: 'AlphaESS SMILE / Storion',
  make: 'AlphaESS',
  defaults: { port: 502, unit_id: 85 },
  hints: { vendor: /alpha/i },
  sources: ['evcc', 'modbusDebug', 'vendorKnowledge'],
  confidence: 'medium',
  serial: { at: holdingText(1610, 8), confidence: 'low' },
  ratings: { capacity_Wh: holding('u16', 281, { scale: 100 }) },
  ders: {
    pv: {
      W: sum(
        ...[1055, 1059].map((at) => holding('u32', at, { scale: -1 })),
        ...[1063, 1067].map((at) => holding('u32', at, { scale: -1, optional: true })),
        holding('i32', 161, { scale: -1, optional: true }), // meter of AC-coupled panels
      ),
      total_generation_Wh: holding('u32', 1086, { scale: 100 }),
    },
    battery: {
      W: holding('i16', 294, { scale: -1 }), // device: + discharge
      V: holding('u16', 256, { scale: 0.1 }),
      A: holding('i16', 257, { scale: -0.1 }),
      SoC_nom_fract: holding('u16', 258, { scale: 0.001 }),
      ...totals({ charge: 288, discharge: 290 }, (at) => holding('u32', at, { scale: 100 })),
    },
    meter: {
      W: holding('i32', 33), // + import
      ...phases('A', [23, 24, 25], (at) => holding('i16', at, { scale: 0.1 })),
      ...totals({ export: 16, import: 18 }, (at) => holding('u32', at, { scale: 10 })),
      Hz: holding('u16', 1052, { scale: 0.01 }),
    },
  },
});
