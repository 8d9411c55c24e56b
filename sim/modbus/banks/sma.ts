import type { Bank, Control } from '../bank.ts';

// SMA: unit 3, high word first, the same registers by functions 3 and 4; powers split by direction.

const [mode, chargeMost_W, dischargeMost_W, grid_W, limit_W] = [40236, 40795, 40799, 40801, 40915];
const [charge, discharge, automatic] = [2289, 2290, 2424];
const rated_W = 8000;
const watchdogMs = 60_000; // the vendor names no time; controllers rewrite within a minute

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

/** The serial is a number on this wire. */
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
      [30513, 'u64', (h) => h.Wh.generated],
      [30529, 'u32', (h) => h.Wh.generated],
      [30581, 'u32', (h) => h.Wh.imported],
      [30583, 'u32', (h) => h.Wh.exported],
      [30769, 'i32', (h) => h.strings[0].A, 0.001],
      [30771, 'i32', (h) => h.strings[0].V, 0.01],
      [30773, 'i32', (h) => h.strings[0].W],
      [30775, 'i32', (h) => -h.pv_W - h.battery_W],
      [30783, 'u32', (h) => h.phases[0].V, 0.01],
      [30785, 'u32', (h) => h.phases[1].V, 0.01],
      [30787, 'u32', (h) => h.phases[2].V, 0.01],
      [30803, 'u32', (h) => h.Hz, 0.01],
      [30843, 'i32', (h) => -h.battery_W / h.battery_V, 0.001],
      [30845, 'u32', (h) => h.battery_soc_fract, 0.01],
      [30849, 'i32', (h) => h.battery_C, 0.1],
      [30851, 'u32', (h) => h.battery_V, 0.01],
      [30865, 'i32', (h) => Math.max(0, h.meter_W)],
      [30867, 'i32', (h) => Math.max(0, -h.meter_W)],
      [30953, 'i32', (h) => h.inverter_C, 0.1],
      [30957, 'i32', (h) => h.strings[1].A, 0.001],
      [30959, 'i32', (h) => h.strings[1].V, 0.01],
      [30961, 'i32', (h) => h.strings[1].W],
      [30967, 'i32', undefined], // no third input
      [31085, 'u32', rated_W],
      [31259, 'u32', (h) => Math.max(0, -h.phases[0].W)],
      [31261, 'u32', (h) => Math.max(0, -h.phases[1].W)],
      [31263, 'u32', (h) => Math.max(0, -h.phases[2].W)],
      [31265, 'u32', (h) => Math.max(0, h.phases[0].W)],
      [31267, 'u32', (h) => Math.max(0, h.phases[1].W)],
      [31269, 'u32', (h) => Math.max(0, h.phases[2].W)],
      [31393, 'u32', (h) => Math.max(0, h.battery_W)],
      [31395, 'u32', (h) => Math.max(0, -h.battery_W)],
      [31397, 'u64', (h) => h.Wh.charged],
      [31401, 'u64', (h) => h.Wh.discharged],
      [31435, 'i32', (h) => h.phases[0].A, 0.001],
      [31437, 'i32', (h) => h.phases[1].A, 0.001],
      [31439, 'i32', (h) => h.phases[2].A, 0.001],
    ],
  },
  settings: [
    [mode, 'u32', automatic],
    [40793, 'u32', 0],
    [chargeMost_W, 'u32', 5000],
    [40797, 'u32', 0],
    [dischargeMost_W, 'u32', 5000],
    [grid_W, 'i32', 0],
    [limit_W, 'u32', rated_W],
  ],
  control,
});
