import { type Ders, holding, holdingText, leastOf, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// The word order is a setting of the inverter; the default is low word first. It also has SunSpec models at 40000.

const string1 = holding('f32', 260, { scale: -1 });
const string2 = holding('f32', 270, { scale: -1 });
const string3 = holding('f32', 280, { scale: -1, optional: true });

const others: Ders = {
  battery: {
    W: holding('i16', 582, { scale: -1 }), // device: + discharge
    V: holding('f32', 216),
    SoC_nom_fract: holding('u16', 514, { scale: 0.01 }),
  },
  meter: {
    W: holding('f32', 252), // energy meter, + import
    Hz: holding('f32', 152),
  },
};

const total_generation_Wh = holding('f32', 320);
const capacity = holding('f32', 1068);

export const kostal = modbusProfile({
  profile: 'kostal',
  display_name: 'Kostal Plenticore / PIKO IQ',
  make: 'Kostal',
  connection_types: ['modbus_tcp'],
  defaults: { port: 1502, unit_id: 71 },
  hints: { vendor: /kostal/i },
  sources: ['vendorKnowledge'],
  confidence: 'medium',
  wordOrder: 'little',
  serial: { at: holdingText(14, 8) },
  ratings: {
    rated_power_W: holding('u16', 531),
    battery_rated_power_W: leastOf(holding('f32', 1038), holding('f32', 1040)), // maximum charge and discharge power
    capacity_Wh: capacity,
  },
  variants: [
    {
      name: 'with a battery', // connected to the third input
      when: { at: capacity, is: (Wh) => Wh > 0 },
      ders: { pv: { W: sum(string1, string2), total_generation_Wh }, ...others },
    },
    { name: 'solar', ders: { pv: { W: sum(string1, string2, string3), total_generation_Wh }, ...others } },
  ],
});
