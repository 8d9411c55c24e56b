import { type Fields, holding } from './map/point.ts';
import { deviceDrivers, modbusDebug, sunspecModels } from './map/sources.ts';
import { sunspecProfile } from './sunspec/sunspec-profile.ts';

const totals: Fields = {
  total_charge_Wh: holding('i32', 39_958, { scale: 1000 }),
  total_discharge_Wh: holding('i32', 39_960, { scale: 1000 }),
};

// SunSpec 103, 802 and 203. Unlike others, 802 counts charging as positive here. The phase currents have no sign.
export const pixii = sunspecProfile({
  profile: 'pixii',
  display_name: 'Pixii PowerShaper',
  make: 'Pixii',
  device_type: 'inverter',
  connection_types: ['modbus_tcp'],
  kinds: ['battery', 'meter'],
  defaults: { port: 502, unit_id: 1 },
  hints: { vendor: /pixii/i, sunspec: /^Pixii/i },
  sources: [deviceDrivers, sunspecModels, modbusDebug],
  manufacturer: /^Pixii/i,
  extra: { battery: totals },
  // model 802 at 40121, model 203 at 40234
  fixed: {
    battery: {
      W: holding('i16', 40_168, { exponent: 40_184 }),
      V: holding('u16', 40_155, { exponent: 40_180 }),
      A: holding('i16', 40_165, { exponent: 40_182 }),
      SoC_nom_fract: holding('u16', 40_132, { scale: 0.01, exponent: 40_177 }),
      ...totals,
    },
    meter: {
      W: holding('i16', 40_252, { exponent: 40_256 }), // + import
      L1_W: holding('i16', 40_253, { exponent: 40_256 }),
      L2_W: holding('i16', 40_254, { exponent: 40_256 }),
      L3_W: holding('i16', 40_255, { exponent: 40_256 }),
      L1_V: holding('i16', 40_242, { exponent: 40_249 }),
      L2_V: holding('i16', 40_243, { exponent: 40_249 }),
      L3_V: holding('i16', 40_244, { exponent: 40_249 }),
      L1_A: holding('i16', 40_237, { exponent: 40_240 }),
      L2_A: holding('i16', 40_238, { exponent: 40_240 }),
      L3_A: holding('i16', 40_239, { exponent: 40_240 }),
      Hz: holding('i16', 40_250, { exponent: 40_251 }),
      total_export_Wh: holding('u32', 40_272, { exponent: 40_288 }),
      total_import_Wh: holding('u32', 40_280, { exponent: 40_288 }),
    },
  },
});
