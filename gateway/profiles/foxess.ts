import { holding, holdingText, phases, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

const modelName = holdingText(30000, 16);

const common = {
  make: 'FoxESS',
  defaults: { port: 502, unit_id: 247 },
  hints: { vendor: /fox/i },
  confidence: 'medium',
  serial: { at: holdingText(30016, 16) },
  model: modelName,
} as const;

const powers = phases('W', [31026, 31027, 31028], (at) => holding('i16', at, { scale: -1 })); // device: + export

export const foxess = modbusProfile({
  ...common,
  profile: 'foxess',
  display_name: 'FoxESS H3',
  sources: ['deviceDrivers', 'evcc', 'modbusDebug', 'vendorKnowledge'],
  identify: [{ what: 'model name', at: modelName, matches: /^(?!.*(smart|pro))[A-Z]/i, isInconclusive: true }],
  ders: {
    pv: { W: sum(holding('i16', 31002, { scale: -1 }), holding('i16', 31005, { scale: -1 })) },
    battery: {
      W: holding('i16', 31036, { scale: -1 }), // device: + discharge
      V: holding('i16', 31034, { scale: 0.1 }),
      A: holding('i16', 31035, { scale: -0.1 }),
      SoC_nom_fract: holding('i16', 31038, { scale: 0.01 }),
    },
    meter: {
      W: sum(...Object.values(powers)),
      ...powers,
      total_import_Wh: holding('u32', 32012, { scale: 100 }),
    },
  },
});

export const foxessH3Smart = modbusProfile({
  ...common,
  profile: 'foxess_h3_smart',
  display_name: 'FoxESS H3 Smart / H3 Pro',
  sources: ['evcc', 'deviceDrivers'],
  identify: [{ what: 'model name', at: modelName, matches: /^[A-Z]/i, isInconclusive: true }],
  ders: {
    pv: {
      W: sum(
        ...[39279, 39281].map((at) => holding('i32', at, { scale: -1, confidence: 'high' })),
        ...[39283, 39285].map((at) => holding('i32', at, { scale: -1, optional: true })),
      ),
      heatsink_C: holding('i16', 39141, { scale: 0.1 }),
    },
    battery: {
      W: holding('i32', 39237, { scale: -1, confidence: 'high' }), // device: + discharge
      V: holding('u16', 39227, { scale: 0.1 }),
      A: holding('i32', 39228, { scale: -0.001 }),
      SoC_nom_fract: holding('u16', 37612, { scale: 0.01, confidence: 'high' }),
    },
    meter: {
      W: holding('i32', 38814, { scale: -0.1 }), // device: + export, also per phase
      ...phases('W', [38816, 38818, 38820], (at) => holding('i32', at, { scale: -0.1, confidence: 'high' })),
      ...phases('V', [39123, 39124, 39125], (at) => holding('u16', at, { scale: 0.1 })),
      Hz: holding('u16', 39139, { scale: 0.01 }),
      total_import_Wh: holding('u32', 39617, { scale: 10 }),
    },
  },
});
