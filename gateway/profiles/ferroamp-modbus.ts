import { input, phases, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Powers and energies are floats in kW and kWh. It has no serial number.
export const ferroampModbus = modbusProfile({
  profile: 'ferroamp_modbus',
  display_name: 'Ferroamp EnergyHub (Modbus TCP)',
  make: 'Ferroamp',
  connection_types: ['modbus_tcp'],
  hints: { vendor: /ferroamp/i },
  sources: ['deviceDrivers', 'evcc', 'modbusDebug'],
  confidence: 'high',
  wordOrder: 'little',
  identify: [{ what: 'inverter status', at: input('u16', 2000), is: (status) => status <= 3, isInconclusive: true }],
  ratings: { capacity_Wh: input('f32', 6008, { scale: 1000 }) },
  ders: {
    pv: {
      W: input('f32', 5100, { scale: -1000 }),
      total_generation_Wh: input('f32', 5064, { scale: 1000 }),
    },
    battery: {
      W: input('f32', 6100, { scale: -1000 }), // device: + discharge
      SoC_nom_fract: input('f32', 6016, { scale: 0.01 }),
      ...totals({ discharge: 6064, charge: 6068 }, (at) => input('f32', at, { scale: 1000, confidence: 'medium' })), // swapped in one source
    },
    meter: {
      W: input('f32', 3100, { scale: 1000 }),
      ...phases('V', [2032, 2036, 2040], (at) => input('f32', at)),
      ...phases('A', [3112, 3116, 3120], (at) => input('f32', at)),
      Hz: input('f32', 2016, { confidence: 'medium' }),
      ...totals({ export: 3064, import: 3068 }, (at) => input('f32', at, { scale: 1000 })),
    },
  },
});
