import { holding, holdingText, input, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Template of a profile. Copy this file, change every line, list it in index.ts, and add a test device to testing/devices/.
//
// Addresses are the ones on the wire, counted from zero; vendors often print one more, or 30001 for the first input register.
// `scale` converts to our unit AND our sign (docs/units-and-signs.md): generation, discharge and export are negative. Note the
// device's own convention in the margin, and everything that was hard to find out.
export const blueprint = modbusProfile({
  profile: 'blueprint', // used in the API; never change it later
  display_name: 'Blueprint hybrid inverter',
  make: 'Blueprint',
  // The next three may be omitted, because these are their default values.
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /blueprint/i }, // vendor name in function code 43, other ports, other unit ids
  sources: ['vendorKnowledge', 'evcc'], // add yours to map/device-map.ts
  confidence: 'medium', // of every point without a confidence of its own
  wordOrder: 'big', // high word first, which is the default

  // How the device identifies itself. A mismatch rejects the device; no answer does not.
  identify: [{ what: 'model name', at: holdingText(1000, 8), matches: /^BP-/ }],
  serial: { at: holdingText(1010, 8) },
  ratings: { rated_power_W: holding('u16', 1020, { scale: 100 }) }, // device: 0.1 kW

  ders: {
    pv: {
      // Two strings. A missing string reads 0xFFFF and is ignored.
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
      W: input('i32', 40, { exponent: 42 }), // + import; register 42 contains the exponent of ten
      Hz: input('u16', 43, { scale: 0.01 }),
    },
  },
});
