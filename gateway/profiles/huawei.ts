import { holding, holdingText, leastOf, phases, strings, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Most dongles accept a single Modbus TCP client; the inverter's own Wi-Fi uses port 6607 and unit 0.
// Registers of parts that are not installed read 0x7FFF or 0xFFFF.
export const huawei = modbusProfile({
  profile: 'huawei',
  display_name: 'Huawei SUN2000 (+ LUNA2000)',
  make: 'Huawei',
  hints: { ports: [6607], unit_ids: [0], vendor: /huawei/i },
  connectDelayMs: 1200, // ignores requests in the first second of a connection
  sources: ['deviceDrivers', 'evcc', 'modbusDebug', 'pythonGateway', 'vendorKnowledge'],
  confidence: 'medium',
  absent: { u16: [0x7fff], u32: [0x7fff_ffff] },
  identify: [{ what: 'model name', at: holdingText(30000, 15), matches: /^SUN2000/ }],
  serial: { at: holdingText(30015, 10) },
  model: holdingText(30000, 15),
  ratings: {
    rated_power_W: holding('u32', 30073),
    battery_rated_power_W: leastOf(holding('u32', 37046), holding('u32', 37048)), // maximum charge and discharge power
    capacity_Wh: holding('u32', 37758),
  },
  present: { battery: { what: 'storage capacity', at: holding('u32', 37758), is: (Wh) => Wh > 0 } },
  together: [{ table: 'holding', address: 37760, count: 24 }],
  ders: {
    pv: {
      W: holding('i32', 32064, { scale: -1, confidence: 'high' }), // DC
      ac_W: holding('i32', 32080, { scale: -1, optional: true }),
      ...strings(holding, 'i16', [32016, 32018], { V: 0.1, A: 0.01 }),
      heatsink_C: holding('i16', 32087, { scale: 0.1 }),
      total_generation_Wh: holding('u32', 32106, { scale: 10, confidence: 'high' }),
    },
    battery: {
      // 37760 and up are the total of both packs, 37001 and up the first pack.
      W: holding('i32', 37765), // + charge
      SoC_nom_fract: holding('u16', 37760, { scale: 0.001 }),
      ...totals({ charge: 37780, discharge: 37782 }, (at) => holding('u32', at, { scale: 10 })),
      V: holding('u16', 37003, { scale: 0.1 }), // first pack; so is the current
      A: holding('i16', 37021, { scale: 0.1 }),
      temperature_C: holding('i16', 37022, { scale: 0.1 }),
      unit1_W: holding('i32', 37001, { optional: true }),
      unit1_SoC_fract: holding('u16', 37004, { scale: 0.001, optional: true }),
      unit1_total_charge_Wh: holding('u32', 37066, { scale: 10, optional: true }),
      unit1_total_discharge_Wh: holding('u32', 37068, { scale: 10, optional: true }),
    },
    meter: {
      W: holding('i32', 37113, { scale: -1, confidence: 'high' }), // device: + export, also per phase
      ...phases('W', [37132, 37134, 37136], (at) => holding('i32', at, { scale: -1, confidence: 'high' })),
      ...phases('V', [37101, 37103, 37105], (at) => holding('i32', at, { scale: 0.1, confidence: 'high' })),
      ...phases('A', [37107, 37109, 37111], (at) => holding('i32', at, { scale: -0.01, confidence: 'high' })),
      Hz: holding('i16', 37118, { scale: 0.01 }),
      ...totals({ export: 37119, import: 37121 }, (at) => holding('i32', at, { scale: 10, confidence: 'high' })), // swapped in some tables
    },
  },
});
