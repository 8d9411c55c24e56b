import { holding, holdingText, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';
import { deviceDrivers, evcc, modbusDebug, vendorKnowledge } from './map/sources.ts';

// device: + export
const L1_W = holding('i16', 31026, { scale: -1 });
const L2_W = holding('i16', 31027, { scale: -1 });
const L3_W = holding('i16', 31028, { scale: -1 });

export const foxess = modbusProfile({
  profile: 'foxess',
  display_name: 'FoxESS H3',
  make: 'FoxESS',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 247 },
  hints: { vendor: /fox/i },
  sources: [deviceDrivers, evcc, modbusDebug, vendorKnowledge],
  confidence: 'medium',
  identify: [
    { what: 'model name', at: holdingText(30000, 16), matches: /^(?!.*(smart|pro))[A-Z]/i, isInconclusive: true },
  ],
  serial: { at: holdingText(30016, 16) },
  model: holdingText(30000, 16),
  ders: {
    pv: {
      W: sum(holding('i16', 31002, { scale: -1 }), holding('i16', 31005, { scale: -1 })),
    },
    battery: {
      W: holding('i16', 31036, { scale: -1 }), // device: + discharge
      V: holding('i16', 31034, { scale: 0.1 }),
      A: holding('i16', 31035, { scale: -0.1 }),
      SoC_nom_fract: holding('i16', 31038, { scale: 0.01 }),
    },
    meter: {
      W: sum(L1_W, L2_W, L3_W),
      L1_W,
      L2_W,
      L3_W,
      total_import_Wh: holding('u32', 32012, { scale: 100 }),
    },
  },
});
