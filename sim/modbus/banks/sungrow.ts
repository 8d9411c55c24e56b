import type { HouseState } from '../../house/state.ts';
import { type Bank, type Control, counters, phases, type Row, registers, strings, table } from '../bank.ts';

// Sungrow: input registers, low word first. Addresses are those on the wire, one below the vendor's numbers.

const rated_W = 10_000;

const inverter = (serial: string, typeCode: number): Row[] => [
  [4989, 10, serial],
  [4999, 'u16', typeCode],
  [5000, 'u16', rated_W, 100],
  [5007, 'i16', (h) => h.inverter_C, 0.1],
  ...strings(5010, 'u16', 'V', 0.1, 2),
  ...strings(5011, 'u16', 'A', 0.1, 2),
  [5016, 'u32le', (h) => -h.pv_W],
  [5241, 'u16', (h) => h.Hz, 0.01],
];

const meter: Row[] = [
  [5600, 'i32le', (h) => h.meter_W],
  ...phases(5602, 'i32le', 'W'),
  ...phases(5740, 'u16', 'V', 0.1),
  ...phases(5743, 'u16', ({ A }) => Math.abs(A), 0.01),
];

const areas = { 4989: 47, 5241: 1, 5600: 8, 5740: 6 };

const flows = (h: HouseState): number =>
  (h.pv_W < 0 ? 1 : 0) |
  (h.battery_W > 0 ? 2 : 0) |
  (h.battery_W < 0 ? 4 : 0) |
  (h.load_W > 0 ? 8 : 0) |
  (h.meter_W < 0 ? 16 : 0) |
  (h.meter_W > 0 ? 32 : 0);

const [emsMode, command, power_W, limitSwitch, limitPermille, feedInMost_W, feedInSwitch] = [
  13049, 13050, 13051, 13088, 13089, 13073, 13086,
];
const [on, off] = [0xaa, 0x55];
const [charge, discharge] = [0xaa, 0xbb];

const control: () => Control = () => (settings, written) => {
  const isForced = settings.get(emsMode) === 2;
  const wanted = settings.get(command);
  // The inverter ignores a power that is written before the mode and the command.
  if (written === power_W && !(isForced && (wanted === charge || wanted === discharge))) settings.set(power_W, 0);
  const W = settings.get(power_W);
  const battery_W = wanted === charge ? W : wanted === discharge ? -W : 0;
  return {
    battery: isForced ? { battery_W } : undefined,
    pvLimit_W: settings.get(limitSwitch) === on ? (settings.get(limitPermille) / 1000) * rated_W : undefined,
    exportLimit_W: settings.get(feedInSwitch) === on ? settings.get(feedInMost_W) : undefined,
  };
};

/** `isSigned`: newer firmware signs the battery power, older firmware sends a magnitude and direction bits. */
export const sungrowHybrid = (serial: string, { isSigned = false } = {}): Bank => {
  const direction = (h: HouseState): number => (isSigned && h.battery_W < 0 ? -1 : 1);
  return {
    profile: 'sungrow',
    title: 'Sungrow SH10RT hybrid inverter',
    unit: 1,
    identification: ['SIM Sungrow', 'SH10RT-SIM', '1.0'],
    input: table({ ...areas, 12999: 48 }, [
      ...inverter(serial, 0x0e03),
      ...meter,
      [13000, 'u16', flows],
      [13007, 'i32le', (h) => h.load_W + h.charger_W],
      [13009, 'i32le', (h) => -h.meter_W], // + export here, + import at 5600
      [13019, 'u16', (h) => h.battery_V, 0.1],
      [13020, 'i16', (h) => (direction(h) * Math.abs(h.battery_W)) / h.battery_V, 0.1],
      [13021, 'i16', (h) => direction(h) * Math.abs(h.battery_W)],
      [13022, 'u16', (h) => h.battery_soc_fract, 0.001],
      [13024, 'i16', (h) => h.battery_C, 0.1],
      ...counters('u32le', 100, { generated: 13002, discharged: 13026, charged: 13040 }),
      ...counters('u32le', 100, { imported: 13036, exported: 13045 }),
    ]),
    settings: [
      ...registers('u16', { [emsMode]: 0, [command]: 0xcc, [power_W]: 0, 13057: 1000, 13058: 50 }),
      ...registers('u16', { [feedInMost_W]: rated_W, [feedInSwitch]: off, [limitSwitch]: off, [limitPermille]: 1000 }),
      ...registers('u16', { 33046: 500, 33047: 500 }), // maximum charge and discharge power, 10 W
    ],
    control,
  };
};

/** A string inverter has no battery and no 13xxx registers. */
export const sungrowString = (serial: string): Bank => ({
  profile: 'sungrow',
  title: 'Sungrow SG10RT string inverter',
  unit: 1,
  identification: ['SIM Sungrow', 'SG10RT-SIM', '1.0'],
  input: {
    areas,
    rows: [...inverter(serial, 0x243d), ...meter, ...counters('u32le', 1000, { generated: 5003 })],
  },
});
