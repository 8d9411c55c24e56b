import type { BatteryCommand } from '../../house/commands.ts';
import { type Bank, type Control, counters, registers, type Settings } from '../bank.ts';
import { chain } from '../sunspec/chain.ts';
import { common, inverter103, meter203 } from '../sunspec/models.ts';

// SolarEdge: SunSpec with the high word first, its own registers from 0xE000 with the low word first; meter + export.

const rated_W = 10_000;
const [controlMode, defaultMode, timeoutS, commandMode, charge_W, discharge_W] = [
  0xe004, 0xe00a, 0xe00b, 0xe00d, 0xe00e, 0xe010,
];
const [exportMode, exportMost_W, limitPercent, commit] = [0xe000, 0xe002, 0xf001, 0xf100];
const remote = 4;
const selfConsumption = 7;

function commandOf(mode: number, settings: Settings): BatteryCommand | undefined {
  const [charge, discharge] = [settings.get(charge_W), settings.get(discharge_W)];
  if (mode === 0) return { battery_W: 0 };
  if (mode === 1 || mode === 2) return { min_W: 0, max_W: charge }; // from surplus PV
  if (mode === 3) return { battery_W: charge }; // also from the grid
  if (mode === 4) return { battery_W: -discharge }; // maximum export
  return mode === 5 ? { min_W: -discharge, max_W: 0 } : undefined; // up to the consumption of the house
}

/** A power limit applies from the commit on; a command lasts until its timeout. */
const control = (): Control => {
  let limit_W: number | undefined;
  return (settings, written) => {
    if (written === commit) {
      const percent = settings.get(limitPercent);
      limit_W = percent < 100 ? (percent / 100) * rated_W : undefined;
    }
    const isRemote = settings.get(controlMode) === remote;
    const battery = isRemote ? commandOf(settings.get(commandMode), settings) : undefined;
    const fallback = settings.get(defaultMode);
    const isTimed = battery && settings.get(commandMode) !== fallback;
    return {
      battery,
      pvLimit_W: limit_W,
      exportLimit_W: settings.get(exportMode) & 1 ? settings.get(exportMost_W) : undefined,
      ...(isTimed && { expires: { afterMs: settings.get(timeoutS) * 1000, resets: { [commandMode]: fallback } } }),
    };
  };
};

export function solaredge(serial: string): Bank {
  const models = chain([
    common('SolarEdge', 'SE10K-RWS SIM', serial),
    inverter103,
    common('SolarEdge', 'SE-MTR-3Y SIM', `${serial}M`),
    meter203(-1),
  ]);
  return {
    profile: 'solaredge',
    title: 'SolarEdge with meter and battery',
    unit: 1,
    identification: ['SIM SolarEdge', 'SE10K-RWS SIM', '4.0'],
    isMirrored: true,
    holding: {
      ...models.table,
      areas: { ...models.table.areas, 57600: 0x8c },
      fill: 0xffff,
      rows: [
        ...models.table.rows,
        [0xe100, 16, 'SIM Battery'],
        [0xe110, 16, 'SE-BAT-10K SIM'],
        [0xe142, 'f32le', 10_000],
        [0xe144, 'f32le', 5000],
        [0xe146, 'f32le', 5000],
        [0xe16c, 'f32le', (h) => h.battery_C],
        [0xe170, 'f32le', (h) => h.battery_V],
        [0xe172, 'f32le', (h) => h.battery_W / h.battery_V],
        [0xe174, 'f32le', (h) => h.battery_W],
        ...counters('u64le', 1, { discharged: 0xe176, charged: 0xe17a }),
        [0xe182, 'f32le', 99],
        [0xe184, 'f32le', (h) => h.battery_soc_fract * 100],
        [0xf304, 'f32le', rated_W],
      ],
    },
    settings: [
      ...registers('u16', { [exportMode]: 0, 57345: 0, [controlMode]: 1, 57349: 0 }),
      ...registers('u16', { [defaultMode]: selfConsumption, [commandMode]: selfConsumption }),
      ...registers('f32le', { [exportMost_W]: rated_W, [charge_W]: 5000, [discharge_W]: 5000 }),
      [timeoutS, 'u32le', 3600],
      ...registers('u16', { [limitPercent]: 100, [commit]: 0 }),
      [0xf142, 'u16', 1], // advanced power control is on
    ],
    control,
  };
}
