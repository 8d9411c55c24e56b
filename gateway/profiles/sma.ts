import { type Ders, type Fields, firstOf, holding, phases, sum } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Unit 3 is the inverter; unit 1 is its internal gateway, unit 126 its SunSpec map.

const ac_W = holding('i32', 30775, { scale: -1, confidence: 'high' });

const pv: Fields = {
  mppt1_A: holding('i32', 30769, { scale: 0.001 }),
  mppt1_V: holding('i32', 30771, { scale: 0.01 }),
  mppt2_A: holding('i32', 30957, { scale: 0.001 }),
  mppt2_V: holding('i32', 30959, { scale: 0.01 }),
  heatsink_C: holding('i32', 30953, { scale: 0.1 }),
  total_generation_Wh: firstOf(
    holding('u64', 30513, { confidence: 'high' }),
    holding('u32', 30529, { optional: true }),
  ),
};

/** Powers in the two directions. */
const difference = (type: 'u32' | 'i32', plus: number, minus: number) =>
  sum(holding(type, plus, { optional: true }), holding(type, minus, { scale: -1, optional: true }));

const meter: Fields = {
  W: difference('i32', 30865, 30867), // from the grid, to the grid
  ...phases('W', [31265, 31267, 31269], (at) => difference('u32', at, at - 6)),
  ...phases('A', [31435, 31437, 31439], (at) => holding('i32', at, { scale: 0.001, optional: true })),
  ...phases('V', [30783, 30785, 30787], (at) => holding('u32', at, { scale: 0.01, optional: true })), // at the inverter
  Hz: holding('u32', 30803, { scale: 0.01, optional: true }),
  total_import_Wh: holding('u32', 30581, { optional: true, confidence: 'high' }),
  total_export_Wh: holding('u32', 30583, { optional: true }),
};

const hybrid: Ders = {
  pv: {
    // Three inputs; the AC power also includes the power of the battery.
    W: sum(
      holding('i32', 30773, { scale: -1 }),
      holding('i32', 30961, { scale: -1 }),
      holding('i32', 30967, { scale: -1, optional: true }),
    ),
    ac_W,
    ...pv,
  },
  battery: {
    W: difference('u32', 31393, 31395), // charging, discharging
    V: holding('u32', 30851, { scale: 0.01, optional: true }),
    A: holding('i32', 30843, { scale: 0.001, optional: true }), // the sign differs between product lines
    SoC_nom_fract: holding('u32', 30845, { scale: 0.01, optional: true, confidence: 'high' }),
    temperature_C: holding('i32', 30849, { scale: 0.1, optional: true }),
    total_charge_Wh: holding('u64', 31397, { optional: true }),
    total_discharge_Wh: holding('u64', 31401, { optional: true, confidence: 'high' }),
  },
  meter,
};

const deviceClasses = [8001, 8007, 8009]; // solar, battery and hybrid inverters

export const sma = modbusProfile({
  profile: 'sma',
  display_name: 'SMA inverter',
  make: 'SMA',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 3 },
  hints: { vendor: /\bSMA\b/ },
  sources: ['evcc', 'deviceDrivers', 'modbusDebug', 'vendorKnowledge'],
  confidence: 'medium',
  absent: { i32: [0xffff_ffff] }, // sent by some firmware, in addition to 0x80000000
  identify: [
    { what: 'device class', at: holding('u32', 30051), is: (deviceClass) => deviceClasses.includes(deviceClass) },
  ],
  serial: { at: holding('u32', 30057) },
  ratings: { rated_power_W: firstOf(holding('u32', 31085), holding('u32', 30231)) },
  variants: [
    { name: 'with a battery', when: { at: holding('u32', 30845), is: (charge) => charge <= 100 }, ders: hybrid },
    { name: 'solar only', ders: { pv: { W: ac_W, ...pv }, meter } },
  ],
});
