import { modbusProfile } from './map/modbus-map.ts';
import { input } from './map/point.ts';
import { deviceDrivers, evcc, modbusDebug } from './map/sources.ts';

// Powers and energies are floats in kilo. There is no serial number.
export const ferroampModbus = modbusProfile({
  profile: 'ferroamp_modbus',
  display_name: 'Ferroamp EnergyHub (Modbus TCP)',
  make: 'Ferroamp',
  device_type: 'inverter',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /ferroamp/i },
  sources: [deviceDrivers, evcc, modbusDebug],
  confidence: 'high',
  wordOrder: 'little',
  identify: [{ what: 'inverter status', at: input('u16', 2000), is: (status) => status <= 3, isNoProof: true }],
  ratings: {
    capacity_Wh: input('f32', 6008, { scale: 1000 }),
  },
  ders: {
    pv: {
      W: input('f32', 5100, { scale: -1000 }),
      total_generation_Wh: input('f32', 5064, { scale: 1000 }),
    },
    battery: {
      W: input('f32', 6100, { scale: -1000 }), // device: + discharge
      SoC_nom_fract: input('f32', 6016, { scale: 0.01 }),
      total_discharge_Wh: input('f32', 6064, { scale: 1000, confidence: 'medium' }), // one source has the two swapped
      total_charge_Wh: input('f32', 6068, { scale: 1000, confidence: 'medium' }),
    },
    meter: {
      W: input('f32', 3100, { scale: 1000 }),
      L1_V: input('f32', 2032),
      L2_V: input('f32', 2036),
      L3_V: input('f32', 2040),
      L1_A: input('f32', 3112),
      L2_A: input('f32', 3116),
      L3_A: input('f32', 3120),
      Hz: input('f32', 2016, { confidence: 'medium' }),
      total_export_Wh: input('f32', 3064, { scale: 1000 }),
      total_import_Wh: input('f32', 3068, { scale: 1000 }),
    },
  },
});
