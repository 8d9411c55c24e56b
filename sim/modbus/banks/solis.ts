import { type Bank, type Control, counters, phases, registers, strings, table } from '../bank.ts';

// Solis: input registers, high word first; battery power as magnitude and direction, meter + export.

const [storageMode, discharge_W, direction, charge_W] = [43110, 43129, 43135, 43136];
const selfUse = 1;

const control: () => Control = () => (settings) => {
  if (settings.get(storageMode) & selfUse) return {};
  const flow = settings.get(direction);
  const charging_W = flow === 1 ? settings.get(charge_W) * 10 : 0;
  return { battery: { battery_W: flow === 2 ? -settings.get(discharge_W) * 10 : charging_W } };
};

export const solis = (serial: string): Bank => ({
  profile: 'solis',
  title: 'Solis S6 hybrid inverter',
  unit: 1,
  input: table({ 33000: 170, 33250: 40 }, [
    [33004, 16, serial],
    ...strings(33049, 'u16', 'V', 0.1, 2),
    ...strings(33050, 'u16', 'A', 0.1, 2),
    [33057, 'u32', (h) => -h.pv_W],
    [33093, 'i16', (h) => h.inverter_C, 0.1],
    [33096, 'i16', (h) => h.battery_C, 0.1],
    [33133, 'u16', (h) => h.battery_V, 0.1],
    [33134, 'i16', (h) => Math.abs(h.battery_W) / h.battery_V, 0.1],
    [33135, 'u16', (h) => (h.battery_W < 0 ? 1 : 0)],
    [33139, 'u16', (h) => h.battery_soc_fract, 0.01],
    [33149, 'i32', (h) => Math.abs(h.battery_W)],
    ...counters('u32', 1000, { generated: 33029, charged: 33161, discharged: 33165 }),
    ...phases(33251, 'u16', 'V', 0.1, 2),
    ...phases(33252, 'u16', ({ A }) => Math.abs(A), 0.01, 2),
    ...phases(33257, 'i32', ({ W }) => -W),
    [33263, 'i32', (h) => -h.meter_W],
    [33282, 'u16', (h) => h.Hz, 0.01],
    ...counters('u32', 10, { imported: 33283, exported: 33285 }),
  ]),
  settings: [
    ...registers('u16', { [storageMode]: 33, [discharge_W]: 0, 43130: 5000, 43131: 5000 }),
    ...registers('u16', { [direction]: 0, [charge_W]: 0 }),
  ],
  control,
});
