import { holding, phases, totals } from './map/point.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

const batteryTotals = totals({ charge: 39_958, discharge: 39_960 }, (at) => holding('i32', at, { scale: 1000 }));

// SunSpec models 103, 802 and 203. Unlike other devices, model 802 is positive for charging. Phase currents are unsigned.
export const pixii = sunspecProfile({
  profile: 'pixii',
  display_name: 'Pixii PowerShaper',
  make: 'Pixii',
  connection_types: ['modbus_tcp'],
  kinds: ['battery', 'meter'],
  hints: { vendor: /pixii/i, sunspec: /^Pixii/i },
  sources: ['deviceDrivers', 'sunspecModels', 'modbusDebug'],
  manufacturer: /^Pixii/i,
  extra: { battery: batteryTotals },
  // model 802 at 40121, model 203 at 40234
  fixed: {
    battery: {
      W: holding('i16', 40_168, { exponent: 40_184 }),
      V: holding('u16', 40_155, { exponent: 40_180 }),
      A: holding('i16', 40_165, { exponent: 40_182 }),
      SoC_nom_fract: holding('u16', 40_132, { scale: 0.01, exponent: 40_177 }),
      ...batteryTotals,
    },
    meter: {
      W: holding('i16', 40_252, { exponent: 40_256 }), // + import
      ...phases('W', [40_253, 40_254, 40_255], (at) => holding('i16', at, { exponent: 40_256 })),
      ...phases('V', [40_242, 40_243, 40_244], (at) => holding('i16', at, { exponent: 40_249 })),
      ...phases('A', [40_237, 40_238, 40_239], (at) => holding('i16', at, { exponent: 40_240 })),
      Hz: holding('i16', 40_250, { exponent: 40_251 }),
      ...totals({ export: 40_272, import: 40_280 }, (at) => holding('u32', at, { exponent: 40_288 })),
    },
  },
});
