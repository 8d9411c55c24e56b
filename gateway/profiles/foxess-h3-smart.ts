import { holding, holdingText, phases, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';
import { deviceDrivers, evcc } from './map/sources.ts';

export const foxessH3Smart = modbusProfile({
  profile: 'foxess_h3_smart',
  display_name: 'FoxESS H3 Smart / H3 Pro',
  make: 'FoxESS',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 247 },
  hints: { vendor: /fox/i },
  sources: [evcc, deviceDrivers],
  confidence: 'medium',
  identify: [{ what: 'model name', at: holdingText(30000, 16), matches: /^[A-Z]/i, isInconclusive: true }],
  serial: { at: holdingText(30016, 16) },
  model: holdingText(30000, 16),
  ders: {
    pv: {
      W: sum(
        holding('i32', 39279, { scale: -1, confidence: 'high' }),
        holding('i32', 39281, { scale: -1, confidence: 'high' }),
        holding('i32', 39283, { scale: -1, optional: true }),
        holding('i32', 39285, { scale: -1, optional: true }),
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
