import { modbusProfile } from './map/modbus-map.ts';
import { holding, holdingText, leastOf } from './map/point.ts';
import { deviceDrivers, evcc, modbusDebug, pythonGateway, vendorKnowledge } from './map/sources.ts';

// Most dongles serve a single Modbus TCP client; the Wi-Fi of the inverter itself has port 6607 and unit 0.
// What is not installed answers with 0x7FFF or all ones.
export const huawei = modbusProfile({
  profile: 'huawei',
  display_name: 'Huawei SUN2000 (+ LUNA2000)',
  make: 'Huawei',
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
  hints: { ports: [6607], unit_ids: [0], vendor: /huawei/i },
  connectDelayMs: 1200, // it hears nothing in the first second after a connection
  sources: [deviceDrivers, evcc, modbusDebug, pythonGateway, vendorKnowledge],
  confidence: 'medium',
  absent: { u16: [0x7fff], u32: [0x7fff_ffff] },
  identify: [{ what: 'model name', at: holdingText(30000, 15), matches: /^SUN2000/ }],
  serial: { at: holdingText(30015, 10) },
  model: holdingText(30000, 15),
  ratings: {
    rated_power_W: holding('u32', 30073),
    battery_rated_power_W: leastOf(holding('u32', 37046), holding('u32', 37048)), // the most that it charges and discharges
    capacity_Wh: holding('u32', 37758),
  },
  present: { battery: { what: 'storage capacity', at: holding('u32', 37758), is: (Wh) => Wh > 0 } },
  together: [{ table: 'holding', address: 37760, count: 24 }],
  ders: {
    pv: {
      W: holding('i32', 32064, { scale: -1, confidence: 'high' }), // DC
      ac_W: holding('i32', 32080, { scale: -1, optional: true }),
      mppt1_V: holding('i16', 32016, { scale: 0.1 }),
      mppt1_A: holding('i16', 32017, { scale: 0.01 }),
      mppt2_V: holding('i16', 32018, { scale: 0.1 }),
      mppt2_A: holding('i16', 32019, { scale: 0.01 }),
      heatsink_C: holding('i16', 32087, { scale: 0.1 }),
      total_generation_Wh: holding('u32', 32106, { scale: 10, confidence: 'high' }),
    },
    battery: {
      // 37760 and up are both packs together, 37001 and up the first alone.
      W: holding('i32', 37765), // + charge
      SoC_nom_fract: holding('u16', 37760, { scale: 0.001 }),
      total_charge_Wh: holding('u32', 37780, { scale: 10 }),
      total_discharge_Wh: holding('u32', 37782, { scale: 10 }),
      V: holding('u16', 37003, { scale: 0.1 }), // of the first pack, as the current
      A: holding('i16', 37021, { scale: 0.1 }),
      temperature_C: holding('i16', 37022, { scale: 0.1 }),
      unit1_W: holding('i32', 37001, { optional: true }),
      unit1_SoC_fract: holding('u16', 37004, { scale: 0.001, optional: true }),
      unit1_total_charge_Wh: holding('u32', 37066, { scale: 10, optional: true }),
      unit1_total_discharge_Wh: holding('u32', 37068, { scale: 10, optional: true }),
    },
    meter: {
      W: holding('i32', 37113, { scale: -1, confidence: 'high' }), // device: + export, also per phase
      L1_W: holding('i32', 37132, { scale: -1, confidence: 'high' }),
      L2_W: holding('i32', 37134, { scale: -1, confidence: 'high' }),
      L3_W: holding('i32', 37136, { scale: -1, confidence: 'high' }),
      L1_V: holding('i32', 37101, { scale: 0.1, confidence: 'high' }),
      L2_V: holding('i32', 37103, { scale: 0.1, confidence: 'high' }),
      L3_V: holding('i32', 37105, { scale: 0.1, confidence: 'high' }),
      L1_A: holding('i32', 37107, { scale: -0.01, confidence: 'high' }),
      L2_A: holding('i32', 37109, { scale: -0.01, confidence: 'high' }),
      L3_A: holding('i32', 37111, { scale: -0.01, confidence: 'high' }),
      Hz: holding('i16', 37118, { scale: 0.01 }),
      total_export_Wh: holding('i32', 37119, { scale: 10, confidence: 'high' }), // some tables have the two swapped
      total_import_Wh: holding('i32', 37121, { scale: 10, confidence: 'high' }),
    },
  },
});
