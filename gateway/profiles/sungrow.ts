import { batteryLimits, deviceType, isHybrid } from './control/sungrow.ts';
import { bit, type Fields, input, inputText, leastOf, phases, type Sign, strings } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Sungrow documents register N and answers at address N-1. Addresses here are the ones on the wire.

// Older firmware reports the battery power as a magnitude; register 13000 contains the direction.
const direction: Sign = { by: input('u16', 13000), plus: bit(1), minus: bit(2), mayBeSigned: true };

const pv: Fields = {
  W: input('u32', 5016, { scale: -1, confidence: 'high' }), // DC
  ...strings(input, 'u16', [5010, 5012], { V: 0.1, A: 0.1 }),
  heatsink_C: input('i16', 5007, { scale: 0.1 }),
};

// Grid meter: + import. Register 13009 has the same power with + export.
const meter: Fields = {
  W: input('i32', 5600),
  ...phases('W', [5602, 5604, 5606], (at) => input('i32', at, { confidence: 'high' })),
  ...phases('V', [5740, 5741, 5742], (at) => input('u16', at, { scale: 0.1, optional: true })),
  ...phases('A', [5743, 5744, 5745], (at) => input('u16', at, { scale: 0.01, optional: true })),
  Hz: input('u16', 5241, { scale: 0.01, optional: true }),
};

export const sungrow = modbusProfile({
  profile: 'sungrow',
  display_name: 'Sungrow SH hybrid / SG string',
  make: 'Sungrow',
  hints: { vendor: /sungrow/i },
  sources: ['deviceDrivers', 'evcc', 'modbusDebug'],
  confidence: 'medium',
  wordOrder: 'little',
  identify: [{ what: 'device type', at: deviceType, is: (code) => code !== 0, isInconclusive: true }],
  serial: { at: inputText(4989, 10) },
  ratings: {
    rated_power_W: input('u16', 5000, { scale: 100 }),
    battery_rated_power_W: leastOf(...Object.values(batteryLimits)),
  },
  variants: [
    {
      name: 'SH hybrid',
      when: { at: deviceType, is: isHybrid },
      ders: {
        pv: { ...pv, total_generation_Wh: input('u32', 13002, { scale: 100, confidence: 'high' }) },
        battery: {
          W: input('i16', 13021, { sign: direction, confidence: 'high' }),
          V: input('u16', 13019, { scale: 0.1 }),
          A: input('i16', 13020, { scale: 0.1, sign: direction }),
          SoC_nom_fract: input('u16', 13022, { scale: 0.001, confidence: 'high' }),
          temperature_C: input('i16', 13024, { scale: 0.1, optional: true }),
          total_charge_Wh: input('u32', 13040, { scale: 100 }),
          total_discharge_Wh: input('u32', 13026, { scale: 100, confidence: 'high' }),
        },
        meter: {
          ...meter,
          total_import_Wh: input('u32', 13036, { scale: 100, confidence: 'high' }),
          total_export_Wh: input('u32', 13045, { scale: 100 }),
        },
      },
    },
    {
      name: 'SG string', // has no 13xxx registers
      ders: { pv: { ...pv, total_generation_Wh: input('u32', 5003, { scale: 1000 }) }, meter },
    },
  ],
});
