import type { BatteryCommand } from '../../house/commands.ts';
import { type Bank, type Control, counters, phases, type Row, registers, strings, table } from '../bank.ts';

// GoodWe ET: unit 247, holding registers, high word first; battery + discharge, meter + export.

const [exportSwitch, exportMost_W, mode, power_W] = [47509, 47510, 47511, 47512];

function commandOf(mode: number, W: number): BatteryCommand | undefined {
  if (mode === 2 || mode === 11) return { battery_W: W }; // charge
  if (mode === 3 || mode === 12) return { battery_W: -W }; // discharge
  if (mode === 4 || mode === 9) return { grid_W: W }; // import
  if (mode === 5 || mode === 10) return { grid_W: -W }; // export
  return mode === 6 || mode === 8 ? { battery_W: 0 } : undefined; // conserve, standby
}

const control: () => Control = () => (settings) => ({
  battery: commandOf(settings.get(mode), settings.get(power_W)),
  exportLimit_W: settings.get(exportSwitch) === 1 ? settings.get(exportMost_W) : undefined,
});

const voltsAndAmps: Row[] = [...phases(36052, 'u16', 'V', 0.1), ...phases(36055, 'u16', ({ A }) => Math.abs(A), 0.1)];

const wideCounters = counters('u64', 10, { exported: 36104, imported: 36120 });

const floatCounters = counters('f32', 1, { exported: 36015, imported: 36017 });

/** The firmware determines the size of the meter block; the longest one has its energy counters elsewhere. */
export const goodwe = (serial: string, meterBlock: 125 | 58 | 45 = 125): Bank => ({
  profile: 'goodwe',
  title: 'GoodWe ET hybrid inverter',
  unit: 247,
  identification: ['SIM GoodWe', 'GW10K-ET SIM', '1.0'],
  holding: table({ 35000: 33, 35100: 125, 36000: meterBlock, 37000: 24 }, [
    [35001, 'u16', 10_000],
    [35003, 8, serial],
    [35011, 5, 'SIM10K-ET'],
    ...strings(35103, 'u16', 'V', 0.1, 4),
    ...strings(35104, 'u16', 'A', 0.1, 4),
    ...strings(35105, 'u32', 'W', 1, 4),
    [35113, 'u32', undefined], // two inputs only
    [35117, 'u32', undefined],
    [35176, 'i16', (h) => h.inverter_C, 0.1],
    [35180, 'u16', (h) => h.battery_V, 0.1],
    [35181, 'i16', (h) => -h.battery_W / h.battery_V, 0.1],
    [35182, 'i32', (h) => -h.battery_W],
    ...counters('u32', 100, { generated: 35191, charged: 35206, discharged: 35209 }),
    [36014, 'u16', (h) => h.Hz, 0.01],
    ...(meterBlock === 125 ? registers('f32', { 36015: 0, 36017: 0 }) : floatCounters),
    ...phases(36019, 'i32', ({ W }) => -W),
    [36025, 'i32', (h) => -h.meter_W],
    ...(meterBlock >= 58 ? voltsAndAmps : []),
    ...(meterBlock === 125 ? wideCounters : []),
    [37003, 'i16', (h) => h.battery_C, 0.1],
    [37007, 'u16', (h) => h.battery_soc_fract, 0.01],
  ]),
  settings: registers('u16', { [exportSwitch]: 0, [exportMost_W]: 10_000, [mode]: 1, [power_W]: 0 }),
  control,
});
