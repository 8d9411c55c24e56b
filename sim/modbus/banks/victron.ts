import { type Bank, type Control, phases, table } from '../bank.ts';

// Victron GX: unit 100 is the system as a whole; battery + charge, grid + import.

const gridSetPoint_W = 2700;

/** The setpoint is the power at the grid connection; 0 is self-consumption. */
const control: () => Control = () => (settings) => {
  const grid_W = settings.get(gridSetPoint_W);
  return grid_W === 0 ? {} : { battery: { grid_W } };
};

export const victron = (serial: string): Bank => ({
  profile: 'victron',
  title: 'Victron GX with DC-coupled PV',
  unit: 100,
  isMirrored: true,
  holding: table({ 800: 30, 840: 16 }, [
    [800, 6, serial],
    ...phases(817, 'u16', (_, h) => Math.round((h.load_W + h.charger_W) / 3)),
    ...phases(820, 'i16', 'W'),
    [840, 'u16', (h) => h.battery_V, 0.1],
    [841, 'i16', (h) => h.battery_W / h.battery_V, 0.1],
    [842, 'i16', (h) => h.battery_W],
    [843, 'u16', (h) => h.battery_soc_fract, 0.01],
    [850, 'u16', (h) => -h.pv_W],
  ]),
  settings: [[gridSetPoint_W, 'i16', 0]],
  control,
});
