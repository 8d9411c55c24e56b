import { modbusProfile } from './map/modbus-map.ts';
import { holding, holdingText, input, sum } from './map/point.ts';

// How to write a profile. Copy this file, change every line, list it in modbus-profiles.ts, add a device to testing/devices/.
//
// Addresses are those on the wire, counted from zero; vendors often print one more, or 30001 for the first input register.
// `scale` turns what the device sends into our unit AND our sign (docs/units-and-signs.md): generation, discharge and
// export are negative. Write in the margin what the device itself does, and everything you had to find out.
export const blueprint = modbusProfile({
  profile: 'blueprint', // what users write; never change it later
  display_name: 'Blueprint hybrid inverter',
  make: 'Blueprint',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /blueprint/i }, // the vendor name in function code 43, other ports, other unit ids
  sources: ['the vendor document that you read', 'the installation that you tried it on'],
  confidence: 'medium', // of every point that says nothing else
  wordOrder: 'big', // high word first, which is also what you get without this line

  // What the device says of itself. A contradiction refuses the device; silence does not.
  identify: [{ what: 'model name', at: holdingText(1000, 8), matches: /^BP-/ }],
  serial: { at: holdingText(1010, 8) },
  ratings: { rated_power_W: holding('u16', 1020, { scale: 100 }) }, // device: 0.1 kW

  ders: {
    pv: {
      // Two strings. A string that is not there sends 0xFFFF, and is passed over.
      W: sum(input('u16', 10, { scale: -1 }), input('u16', 13, { scale: -1 })),
      mppt1_V: input('u16', 11, { scale: 0.1 }),
      total_generation_Wh: input('u32', 20, { scale: 100 }), // device: 0.1 kWh
    },
    battery: {
      W: input('i16', 30, { scale: -1 }), // device: + discharge
      SoC_nom_fract: input('u16', 31, { scale: 0.01 }), // device: %
      temperature_C: input('i16', 32, { scale: 0.1, optional: true }), // only the newer model
    },
    meter: {
      W: input('i32', 40, { exponent: 42 }), // + import; 42 holds the power of ten
      Hz: input('u16', 43, { scale: 0.01 }),
    },
  },
});
