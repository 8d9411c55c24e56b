import { type Ders, type Fields, holding, holdingText, phases, strings, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

const newerPoint = (at: number) => holding('u16', at, { scale: 0.1, optional: true, confidence: 'medium' });

const dersOf = (meterTotals: Fields): Ders => ({
  pv: {
    W: sum(
      ...[35105, 35109].map((at) => holding('u32', at, { scale: -1 })),
      ...[35113, 35117].map((at) => holding('u32', at, { scale: -1, optional: true })),
    ),
    ...strings(holding, 'u16', [35103, 35107], { V: 0.1, A: 0.1 }),
    heatsink_C: holding('i16', 35176, { scale: 0.1 }),
    total_generation_Wh: holding('u32', 35191, { scale: 100 }),
  },
  battery: {
    W: holding('i32', 35182, { scale: -1 }), // device: + discharge
    V: holding('u16', 35180, { scale: 0.1 }),
    A: holding('i16', 35181, { scale: -0.1 }),
    SoC_nom_fract: holding('u16', 37007, { scale: 0.01 }),
    temperature_C: holding('i16', 37003, { scale: 0.1, optional: true }),
    ...totals({ charge: 35206, discharge: 35209 }, (at) => holding('u32', at, { scale: 100 })),
  },
  meter: {
    W: holding('i32', 36025, { scale: -1 }), // device: + export, also per phase
    ...phases('W', [36019, 36021, 36023], (at) => holding('i32', at, { scale: -1 })),
    ...phases('V', [36052, 36053, 36054], newerPoint),
    ...phases('A', [36055, 36056, 36057], newerPoint),
    Hz: holding('u16', 36014, { scale: 0.01 }),
    ...meterTotals,
  },
});

const newerExport = holding('u64', 36104, { scale: 10 });

// LAN dongles use Modbus TCP, Wi-Fi dongles RTU over UDP. The firmware gives the meter 45, 58 or 125 registers.
export const goodwe = modbusProfile({
  profile: 'goodwe',
  display_name: 'GoodWe ET/EH/BT/BH hybrid',
  make: 'GoodWe',
  defaults: { port: 502, unit_id: 247 },
  hints: { vendor: /goodwe/i },
  sources: ['goodweCaptures', 'evcc', 'modbusDebug'],
  confidence: 'high',
  serial: { at: holdingText(35003, 8) },
  model: holdingText(35011, 5),
  ratings: { rated_power_W: holding('u16', 35001) },
  together: [{ table: 'holding', address: 35100, count: 125 }],
  variants: [
    {
      name: 'newer firmware', // leaves the float registers of older firmware at zero
      when: { at: newerExport, is: (Wh) => Wh >= 0 },
      ders: dersOf({ total_export_Wh: newerExport, total_import_Wh: holding('u64', 36120, { scale: 10 }) }),
    },
    {
      name: 'older firmware',
      ders: dersOf({ total_export_Wh: holding('f32', 36015), total_import_Wh: holding('f32', 36017) }),
    },
  ],
});
