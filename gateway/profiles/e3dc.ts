import { holding, holdingText, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

export const e3dc = modbusProfile({
  profile: 'e3dc',
  display_name: 'E3/DC home power station (simple mode)',
  make: 'E3DC',
  connection_types: ['modbus_tcp'],
  hints: { vendor: /e3.?dc/i },
  sources: ['evcc', 'modbusDebug', 'vendorKnowledge'],
  confidence: 'medium',
  wordOrder: 'little',
  identify: [{ what: 'magic number', at: holding('u16', 40000), is: (word) => word === 0xe3dc }],
  serial: { at: holdingText(40035, 16) },
  ders: {
    pv: {
      W: sum(
        holding('i32', 40067, { scale: -1 }),
        holding('i32', 40075, { optional: true }), // external generation, negative in the device too
      ),
    },
    battery: {
      W: holding('i32', 40069), // + charge
      SoC_nom_fract: holding('u16', 40082, { scale: 0.01 }),
    },
    meter: { W: holding('i32', 40073) }, // + import; 40071 is the consumption of the house
  },
});
