import { input, inputText, is, phases, type Sign, strings, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Logger sticks on port 8899 use a proprietary protocol around Modbus.

// Only some firmware signs the power, so the magnitude is used with the direction of this register.
const direction: Sign = { by: input('u16', 33135), plus: is(0), minus: is(1) };

export const solis = modbusProfile({
  profile: 'solis',
  display_name: 'Solis RHI/S5/S6 hybrid',
  make: 'Ginlong Solis',
  hints: { vendor: /solis|ginlong/i },
  sources: ['deviceDrivers', 'evcc', 'modbusDebug'],
  confidence: 'medium',
  serial: { at: inputText(33004, 16) },
  ders: {
    pv: {
      W: input('u32', 33057, { scale: -1, confidence: 'high' }),
      ...strings(input, 'u16', [33049, 33051], { V: 0.1, A: 0.1 }),
      heatsink_C: input('i16', 33093, { scale: 0.1 }),
      total_generation_Wh: input('u32', 33029, { scale: 1000 }),
    },
    battery: {
      W: input('i32', 33149, { sign: direction, confidence: 'high' }),
      V: input('u16', 33133, { scale: 0.1 }),
      A: input('i16', 33134, { scale: 0.1, sign: direction }),
      SoC_nom_fract: input('u16', 33139, { scale: 0.01, confidence: 'high' }),
      temperature_C: input('i16', 33096, { scale: 0.1, optional: true }),
      ...totals({ charge: 33161, discharge: 33165 }, (at) => input('u32', at, { scale: 1000 })),
    },
    meter: {
      W: input('i32', 33263, { scale: -1 }), // device: + export, also per phase
      ...phases('V', [33251, 33253, 33255], (at) => input('u16', at, { scale: 0.1 })),
      ...phases('A', [33252, 33254, 33256], (at) => input('u16', at, { scale: 0.01, confidence: 'high' })), // 0.1 A in one source
      ...phases('W', [33257, 33259, 33261], (at) => input('i32', at, { scale: -1, confidence: 'high' })),
      Hz: input('u16', 33282, { scale: 0.01 }),
      total_import_Wh: input('u32', 33283, { scale: 10, confidence: 'high' }), // 1 kWh in one source
      total_export_Wh: input('u32', 33285, { scale: 10 }),
    },
  },
});
