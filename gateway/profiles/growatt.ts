import { type Fields, holding, holdingText, input, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';
import { deviceDrivers, evcc, modbusDebug, vendorKnowledge } from './map/sources.ts';

const grid: Fields = {
  L1_V: input('u16', 38, { scale: 0.1 }),
  L2_V: input('u16', 42, { scale: 0.1, optional: true }),
  L3_V: input('u16', 46, { scale: 0.1, optional: true }),
  Hz: input('u16', 37, { scale: 0.01, confidence: 'high' }),
};

export const growatt = modbusProfile({
  profile: 'growatt',
  display_name: 'Growatt SPH / MIN and MOD TL-XH hybrid',
  make: 'Growatt',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /growatt/i },
  sources: [deviceDrivers, evcc, modbusDebug, vendorKnowledge],
  confidence: 'medium',
  borders: [125, 1000, 1125, 3000, 3125, 3250], // register groups of the device
  serial: { at: holdingText(23, 5) },
  ratings: { rated_power_W: holding('u32', 6, { scale: 0.1 }) },
  variants: [
    {
      name: 'SPH',
      when: { at: input('u32', 1009), answers: true },
      ders: {
        pv: {
          W: input('u32', 1, { scale: -0.1, confidence: 'high' }),
          mppt1_V: input('u16', 3, { scale: 0.1 }),
          mppt1_A: input('u16', 4, { scale: 0.1 }),
          mppt2_V: input('u16', 7, { scale: 0.1 }),
          mppt2_A: input('u16', 8, { scale: 0.1 }),
          total_generation_Wh: input('u32', 91, { scale: 100, confidence: 'high' }),
        },
        battery: {
          W: sum(
            input('u32', 1011, { scale: 0.1 }), // charging; swapped with discharging in one source
            input('u32', 1009, { scale: -0.1 }), // discharging
          ),
          V: input('u16', 1013, { scale: 0.1 }),
          SoC_nom_fract: input('u16', 1014, { scale: 0.01, confidence: 'high' }),
          temperature_C: input('u16', 1040, { scale: 0.1, optional: true }),
          total_discharge_Wh: input('u32', 1054, { scale: 100 }),
          total_charge_Wh: input('u32', 1058, { scale: 100 }),
        },
        meter: {
          W: sum(
            input('u32', 1021, { scale: 0.1 }), // from the grid
            input('u32', 1029, { scale: -0.1 }), // to the grid
          ),
          total_import_Wh: input('u32', 1046, { scale: 100 }),
          total_export_Wh: input('u32', 1050, { scale: 100 }),
          ...grid,
        },
      },
    },
    {
      name: 'TL-XH',
      ders: {
        pv: {
          W: sum(
            input('u32', 3005, { scale: -0.1 }),
            input('u32', 3009, { scale: -0.1 }),
            input('u32', 3013, { scale: -0.1, optional: true }),
            input('u32', 3017, { scale: -0.1, optional: true }),
          ),
          total_generation_Wh: input('u32', 3053, { scale: 100 }),
        },
        battery: {
          W: sum(
            input('u32', 3180, { scale: 0.1 }), // charging
            input('u32', 3178, { scale: -0.1 }), // discharging
          ),
          SoC_nom_fract: input('u16', 3171, { scale: 0.01 }),
          total_discharge_Wh: input('u32', 3127, { scale: 100 }),
        },
        meter: {
          W: sum(
            input('u32', 3041, { scale: 0.1 }), // from the grid
            input('u32', 3043, { scale: -0.1 }), // to the grid
          ),
          total_import_Wh: input('u32', 3069, { scale: 100 }),
          ...grid,
        },
      },
    },
  ],
});
