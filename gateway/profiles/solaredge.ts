import { modbusProfile } from './map/modbus-map.ts';
import { holding, holdingText, leastOf, solarBehind } from './map/point.ts';
import { deviceDrivers, evcc, modbusDebug, sunspecModels, vendorKnowledge } from './map/sources.ts';

// One Modbus TCP client at a time, disconnected after two minutes of silence. The SunSpec models are at fixed places:
// inverter 40069, first meter 40188. The battery (0xE100) and the registers from 0xF000 are floats, low word first.

const alternating = holding('i16', 40083, { scale: -1, exponent: 40084 });
const battery_W = holding('f32', 0xe174, {
  wordOrder: 'little',
  optional: true,
  confidence: 'medium',
  between: [-1e6, 1e6], // the lowest float stands for no battery
}); // + charge

export const solaredge = modbusProfile({
  profile: 'solaredge',
  display_name: 'SolarEdge inverter',
  make: 'SolarEdge',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { ports: [1502], vendor: /solaredge/i, sunspec: /^SolarEdge/i },
  sources: [sunspecModels, deviceDrivers, modbusDebug, evcc, vendorKnowledge],
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
      holding('f32', 0xe144, { wordOrder: 'little', confidence: 'medium' }), // the most that it charges
      holding('f32', 0xe146, { wordOrder: 'little', confidence: 'medium' }), // and discharges
    ),
    capacity_Wh: holding('f32', 0xe142, { wordOrder: 'little', confidence: 'medium' }),
  },
  present: { meter: { what: 'meter model', at: holding('u16', 40188), is: (id) => id >= 201 && id <= 204 } },
  ders: {
    pv: {
      // The battery is on the DC side: the AC power of the inverter is solar power plus what the battery gives.
      W: solarBehind(alternating, battery_W),
      ac_W: alternating,
      total_generation_Wh: holding('u32', 40093, { exponent: 40095 }),
      dc_W: holding('i16', 40100, { scale: -1, exponent: 40101, optional: true }), // of the inverter, battery included
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
      L1_W: holding('i16', 40207, { scale: -1, exponent: 40210, optional: true }),
      L2_W: holding('i16', 40208, { scale: -1, exponent: 40210, optional: true }),
      L3_W: holding('i16', 40209, { scale: -1, exponent: 40210, optional: true }),
      L1_V: holding('i16', 40196, { exponent: 40203, optional: true }),
      L2_V: holding('i16', 40197, { exponent: 40203, optional: true }),
      L3_V: holding('i16', 40198, { exponent: 40203, optional: true }),
      L1_A: holding('i16', 40191, { exponent: 40194, optional: true }),
      L2_A: holding('i16', 40192, { exponent: 40194, optional: true }),
      L3_A: holding('i16', 40193, { exponent: 40194, optional: true }),
      Hz: holding('u16', 40085, { exponent: 40086 }), // at the inverter
      total_export_Wh: holding('u32', 40226, { exponent: 40242, optional: true }),
      total_import_Wh: holding('u32', 40234, { exponent: 40242, optional: true }),
    },
  },
});
