import { holding, holdingText, leastOf, phases, solarFromAc, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Accepts one Modbus TCP client at a time and disconnects it after two idle minutes. The SunSpec models are at fixed
// addresses: inverter 40069, first meter 40188. The battery (0xE100) and registers from 0xF000 are floats, low word first.

const ac_W = holding('i16', 40083, { scale: -1, exponent: 40084 });
const battery_W = holding('f32', 0xe174, {
  wordOrder: 'little',
  optional: true,
  confidence: 'medium',
  between: [-1e6, 1e6], // the lowest float means no battery
}); // + charge

export const solaredge = modbusProfile({
  profile: 'solaredge',
  display_name: 'SolarEdge inverter',
  make: 'SolarEdge',
  hints: { ports: [1502], vendor: /solaredge/i, sunspec: /^SolarEdge/i },
  sources: ['sunspecModels', 'deviceDrivers', 'modbusDebug', 'evcc', 'vendorKnowledge'],
  confidence: 'high',
  identify: [
    { what: 'SunSpec mark', at: holdingText(40000, 2), matches: /^SunS$/ },
    { what: 'manufacturer', at: holdingText(40004, 16), matches: /^SolarEdge/ },
    { what: 'inverter model', at: holding('u16', 40069), is: (id) => id >= 101 && id <= 103 },
  ],
  serial: { at: holdingText(40052, 16) },
  model: holdingText(40020, 16),
  ratings: {
    rated_power_W: holding('f32', 0xf304, { wordOrder: 'little', confidence: 'low' }),
    battery_rated_power_W: leastOf(
      holding('f32', 0xe144, { wordOrder: 'little', confidence: 'medium' }), // maximum charge power
      holding('f32', 0xe146, { wordOrder: 'little', confidence: 'medium' }), // maximum discharge power
    ),
    capacity_Wh: holding('f32', 0xe142, { wordOrder: 'little', confidence: 'medium' }),
  },
  present: { meter: { what: 'meter model', at: holding('u16', 40188), is: (id) => id >= 201 && id <= 204 } },
  ders: {
    pv: {
      // The battery is on the DC side: the AC power of the inverter is the solar power plus the battery power.
      W: solarFromAc(ac_W, battery_W),
      ac_W,
      total_generation_Wh: holding('u32', 40093, { exponent: 40095 }),
      dc_W: holding('i16', 40100, { scale: -1, exponent: 40101, optional: true }), // of the inverter, including the battery
      heatsink_C: holding('i16', 40103, { exponent: 40106, optional: true }),
    },
    battery: {
      W: battery_W,
      V: holding('f32', 0xe170, { wordOrder: 'little', optional: true, confidence: 'medium' }),
      A: holding('f32', 0xe172, { wordOrder: 'little', optional: true, confidence: 'medium' }),
      SoC_nom_fract: holding('f32', 0xe184, { wordOrder: 'little', scale: 0.01, optional: true, confidence: 'medium' }),
      total_discharge_Wh: holding('u64', 0xe176, { wordOrder: 'little', optional: true, confidence: 'medium' }),
      total_charge_Wh: holding('u64', 0xe17a, { wordOrder: 'little', optional: true, confidence: 'medium' }),
    },
    meter: {
      W: holding('i16', 40206, { scale: -1, exponent: 40210 }), // device: + export, also per phase
      ...phases('W', [40207, 40208, 40209], (at) => holding('i16', at, { scale: -1, exponent: 40210, optional: true })),
      ...phases('V', [40196, 40197, 40198], (at) => holding('i16', at, { exponent: 40203, optional: true })),
      ...phases('A', [40191, 40192, 40193], (at) => holding('i16', at, { exponent: 40194, optional: true })),
      Hz: holding('u16', 40085, { exponent: 40086 }), // at the inverter
      ...totals({ export: 40226, import: 40234 }, (at) => holding('u32', at, { exponent: 40242, optional: true })),
    },
  },
});
