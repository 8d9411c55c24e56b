import { holding, holdingText, phases, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Many devices share the IP address; unit 100 is the system with their totals.

// + import; 817 to 819 are the consumption of the house
const powers = phases('W', [820, 821, 822], (at) => holding('i16', at));

export const victron = modbusProfile({
  profile: 'victron',
  display_name: 'Victron GX (CCGX, Cerbo)',
  make: 'Victron Energy',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 100 },
  hints: { vendor: /victron/i },
  sources: ['evcc', 'deviceDrivers', 'modbusDebug'],
  confidence: 'high',
  serial: { at: holdingText(800, 6) },
  ders: {
    pv: {
      W: sum(
        ...[808, 809, 810].map((at) => holding('u16', at, { scale: -1 })), // AC-coupled on the inverter output
        ...[811, 812, 813].map((at) => holding('u16', at, { scale: -1, confidence: 'medium' })), // on the grid side
        holding('u16', 850, { scale: -1 }), // DC-coupled
      ),
    },
    battery: {
      W: holding('i16', 842), // + charge
      V: holding('u16', 840, { scale: 0.1, confidence: 'medium' }),
      A: holding('i16', 841, { scale: 0.1, confidence: 'medium' }),
      SoC_nom_fract: holding('u16', 843, { scale: 0.01 }),
    },
    meter: { W: sum(...Object.values(powers)), ...powers },
  },
});
