import { holding, holdingText, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';
import { deviceDrivers, evcc, modbusDebug } from './map/sources.ts';

// Many devices share the IP address; unit 100 is the system with their totals.

// + import; 817 to 819 are the consumption of the house
const L1_W = holding('i16', 820);
const L2_W = holding('i16', 821);
const L3_W = holding('i16', 822);

export const victron = modbusProfile({
  profile: 'victron',
  display_name: 'Victron GX (CCGX, Cerbo)',
  make: 'Victron Energy',
  device_type: 'inverter',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 100 },
  hints: { vendor: /victron/i },
  sources: [evcc, deviceDrivers, modbusDebug],
  confidence: 'high',
  serial: { at: holdingText(800, 6) },
  ders: {
    pv: {
      W: sum(
        holding('u16', 808, { scale: -1 }), // AC-coupled on the inverter output, three phases
        holding('u16', 809, { scale: -1 }),
        holding('u16', 810, { scale: -1 }),
        holding('u16', 811, { scale: -1, confidence: 'medium' }), // AC-coupled on the grid side
        holding('u16', 812, { scale: -1, confidence: 'medium' }),
        holding('u16', 813, { scale: -1, confidence: 'medium' }),
        holding('u16', 850, { scale: -1 }), // DC-coupled
      ),
    },
    battery: {
      W: holding('i16', 842), // + charge
      V: holding('u16', 840, { scale: 0.1, confidence: 'medium' }),
      A: holding('i16', 841, { scale: 0.1, confidence: 'medium' }),
      SoC_nom_fract: holding('u16', 843, { scale: 0.01 }),
    },
    meter: {
      W: sum(L1_W, L2_W, L3_W),
      L1_W,
      L2_W,
      L3_W,
    },
  },
});
