import { holding, holdingText, phases } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const saj = modbusProfile({
  profile: 'saj',
  display_name: 'SAJ H2 / HS2',
  make: 'SAJ',
  hints: { vendor: /\bSAJ\b/ },
  sources: ['evcc', 'modbusDebug'],
  confidence: 'medium',
  serial: { at: holdingText(36611, 10) },
  ders: {
    pv: {
      W: holding('i16', 16549, { scale: -1 }),
      total_generation_Wh: holding('u32', 16581, { scale: 10 }),
    },
    battery: {
      W: holding('i16', 16550, { scale: -1 }), // device: + discharge
      SoC_nom_fract: holding('u16', 40972, { scale: 0.0001 }),
      total_discharge_Wh: holding('u32', 16597, { scale: 10 }),
    },
    meter: {
      W: holding('i16', 16557), // + import
      ...phases('A', [16434, 16441, 16448], (at) => holding('i16', at, { scale: 0.01 })),
      total_export_Wh: holding('u32', 16637, { scale: 10, confidence: 'low' }), // consumption in one source
    },
  },
});
