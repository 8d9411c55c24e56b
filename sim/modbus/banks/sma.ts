import { type Bank, type Control, counters, phases, registers, strings } from '../bank.ts';

// SMA: unit 3, high word first, the same registers by functions 3 and 4; powers split by direction.

const [mode, chargeMost_W, dischargeMost_W, grid_W, limit_W] = [40236, 40795, 40799, 40801, 40915];
const [charge, discharge, automatic] = [2289, 2290, 2424];
const rated_W = 8000;
const watchdogMs = 60_000; // undocumented; controllers write at least once a minute

const control: () => Control = () => (settings) => {
  const command = settings.get(mode);
  const battery_W = command === charge ? settings.get(chargeMost_W) : -settings.get(dischargeMost_W);
  const isForced = command === charge || command === discharge;
  const most_W = settings.get(limit_W);
  return {
    battery: isForced ? { battery_W } : undefined,
    pvLimit_W: most_W < rated_W ? most_W : undefined,
    ...(isForced && { expires: { afterMs: watchdogMs, resets: { [mode]: automatic } } }),
  };
};

/** The serial is a number. */
export const sma = (serial: number): Bank => ({
  profile: 'sma',
  title: 'SMA Sunny Tripower Smart Energy',
  unit: 3,
  identification: ['SIM SMA', 'STP8.0-3SE-40 SIM', '3.0'],
  isMirrored: true,
  holding: {
    rows: [
      [30057, 'u32', serial],
      [30231, 'u32', rated_W],
      ...counters('u64', 1, { generated: 30513, charged: 31397, discharged: 31401 }),
      ...counters('u32', 1, { generated: 30529, imported: 30581, exported: 30583 }),
      ...strings(30769, 'i32', 'A', 0.001, 188),
      ...strings(30771, 'i32', 'V', 0.01, 188),
      ...strings(30773, 'i32', 'W', 1, 188),
      [30775, 'i32', (h) => -h.pv_W - h.battery_W],
      ...phases(30783, 'u32', 'V', 0.01),
      [30803, 'u32', (h) => h.Hz, 0.01],
      [30843, 'i32', (h) => -h.battery_W / h.battery_V, 0.001],
      [30845, 'u32', (h) => h.battery_soc_fract, 0.01],
      [30849, 'i32', (h) => h.battery_C, 0.1],
      [30851, 'u32', (h) => h.battery_V, 0.01],
      [30865, 'i32', (h) => Math.max(0, h.meter_W)],
      [30867, 'i32', (h) => Math.max(0, -h.meter_W)],
      [30953, 'i32', (h) => h.inverter_C, 0.1],
      [30967, 'i32', undefined], // no third input
      [31085, 'u32', rated_W],
      ...phases(31259, 'u32', ({ W }) => Math.max(0, -W)),
      ...phases(31265, 'u32', ({ W }) => Math.max(0, W)),
      [31393, 'u32', (h) => Math.max(0, h.battery_W)],
      [31395, 'u32', (h) => Math.max(0, -h.battery_W)],
      ...phases(31435, 'i32', 'A', 0.001),
    ],
  },
  settings: [
    ...registers('u32', { [mode]: automatic, 40793: 0, [chargeMost_W]: 5000, 40797: 0, [dischargeMost_W]: 5000 }),
    [grid_W, 'i32', 0],
    [limit_W, 'u32', rated_W],
  ],
  control,
});
