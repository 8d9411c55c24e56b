import { type Fields, holding, holdingText, input, strings, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

/** Powers in the two directions. */
const difference = (plus: number, minus: number) =>
  sum(input('u32', plus, { scale: 0.1 }), input('u32', minus, { scale: -0.1 }));

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
  hints: { vendor: /growatt/i },
  sources: ['deviceDrivers', 'evcc', 'modbusDebug', 'vendorKnowledge'],
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
          ...strings(input, 'u16', [3, 7], { V: 0.1, A: 0.1 }),
          total_generation_Wh: input('u32', 91, { scale: 100, confidence: 'high' }),
        },
        battery: {
          W: difference(1011, 1009), // charging, discharging; swapped in one source
          V: input('u16', 1013, { scale: 0.1 }),
          SoC_nom_fract: input('u16', 1014, { scale: 0.01, confidence: 'high' }),
          temperature_C: input('u16', 1040, { scale: 0.1, optional: true }),
          ...totals({ discharge: 1054, charge: 1058 }, (at) => input('u32', at, { scale: 100 })),
        },
        meter: {
          W: difference(1021, 1029), // from the grid, to the grid
          ...totals({ import: 1046, export: 1050 }, (at) => input('u32', at, { scale: 100 })),
          ...grid,
        },
      },
    },
    {
      name: 'TL-XH',
      ders: {
        pv: {
          W: sum(
            ...[3005, 3009].map((at) => input('u32', at, { scale: -0.1 })),
            ...[3013, 3017].map((at) => input('u32', at, { scale: -0.1, optional: true })),
          ),
          total_generation_Wh: input('u32', 3053, { scale: 100 }),
        },
        battery: {
          W: difference(3180, 3178), // charging, discharging
          SoC_nom_fract: input('u16', 3171, { scale: 0.01 }),
          total_discharge_Wh: input('u32', 3127, { scale: 100 }),
        },
        meter: {
          W: difference(3041, 3043), // from the grid, to the grid
          total_import_Wh: input('u32', 3069, { scale: 100 }),
          ...grid,
        },
      },
    },
  ],
});
