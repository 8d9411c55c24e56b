import type { HouseState } from '../../house/state.ts';
import type { Bank, Control } from '../bank.ts';

// Deye: holding registers, low word first; battery + discharge. High-voltage models count powers in 10 W.

const rated_W = 12_000;
const [chargeMost_A, dischargeMost_A, gridCharge, sellMode, sellMost, weekdays, slot_W, slotSoc, slotCharge] = [
  108, 109, 130, 142, 143, 146, 154, 166, 172,
];

export function deye(serial: string, voltage: 'high' | 'low'): Bank {
  const isHigh = voltage === 'high';
  const powerStep = isHigh ? 10 : 1;
  const volts = (h: HouseState): number => (isHigh ? h.battery_V : 48 + 6 * h.battery_soc_fract);

  const control: () => Control = () => (settings, _, h) => {
    const charge_W = Math.round(settings.get(chargeMost_A) * volts(h));
    const slot = settings.get(slot_W) * powerStep;
    const discharge_W = Math.min(Math.round(settings.get(dischargeMost_A) * volts(h)), slot);
    const target_fract = settings.get(slotSoc) / 100;
    const sell_W = settings.get(sellMost) * powerStep;
    return { battery: command(), pvLimit_W: sell_W < rated_W ? sell_W : undefined };

    function command() {
      const isTimed = (settings.get(weekdays) & 0xfe) !== 0; // bit 0 is the switch, the others the days
      if (!isTimed) return undefined;
      const mayUseGrid = (settings.get(slotCharge) & 1) === 1 && settings.get(gridCharge) === 1;
      if (mayUseGrid && h.battery_soc_fract < target_fract) return { battery_W: charge_W };
      if (settings.get(sellMode) === 0 && h.battery_soc_fract > target_fract) return { battery_W: -slot };
      return { min_W: -discharge_W, max_W: charge_W };
    }
  };

  return {
    profile: 'deye',
    title: `Deye three-phase hybrid, ${voltage} voltage`,
    unit: 1,
    holding: {
      areas: [
        [0, 60],
        [500, 200],
      ],
      rows: [
        [0, 'u16', isHigh ? 6 : 5],
        [3, 5, serial],
        [20, 'u32le', rated_W, 0.1],
        [217, 'u16', (h) => h.battery_C + 100, 0.1],
        [516, 'u32le', (h) => h.Wh.charged, 100],
        [518, 'u32le', (h) => h.Wh.discharged, 100],
        [522, 'u32le', (h) => h.Wh.imported, 100],
        [524, 'u32le', (h) => h.Wh.exported, 100],
        [534, 'u32le', (h) => h.Wh.generated, 100],
        [541, 'u16', (h) => h.inverter_C, 0.1],
        [587, 'u16', volts, isHigh ? 0.1 : 0.01],
        [588, 'u16', (h) => h.battery_soc_fract, 0.01],
        [590, 'i16', (h) => -h.battery_W, powerStep],
        [591, 'i16', (h) => -h.battery_W / volts(h), 0.01],
        [598, 'u16', (h) => h.phases[0].V, 0.1],
        [599, 'u16', (h) => h.phases[1].V, 0.1],
        [600, 'u16', (h) => h.phases[2].V, 0.1],
        [609, 'u16', (h) => h.Hz, 0.01],
        [613, 'i16', (h) => h.phases[0].A, 0.01],
        [614, 'i16', (h) => h.phases[1].A, 0.01],
        [615, 'i16', (h) => h.phases[2].A, 0.01],
        [616, 'i16', (h) => h.phases[0].W],
        [617, 'i16', (h) => h.phases[1].W],
        [618, 'i16', (h) => h.phases[2].W],
        [619, 'i16', (h) => h.meter_W],
        [622, 'i16', (h) => h.phases[0].W],
        [623, 'i16', (h) => h.phases[1].W],
        [624, 'i16', (h) => h.phases[2].W],
        [625, 'i16', (h) => h.meter_W],
        [672, 'u16', (h) => h.strings[0].W, powerStep],
        [673, 'u16', (h) => h.strings[1].W, powerStep],
        [676, 'u16', (h) => h.strings[0].V, 0.1],
        [677, 'u16', (h) => h.strings[0].A, 0.1],
        [678, 'u16', (h) => h.strings[1].V, 0.1],
        [679, 'u16', (h) => h.strings[1].A, 0.1],
      ],
    },
    settings: [
      [chargeMost_A, 'u16', isHigh ? 31 : 120],
      [dischargeMost_A, 'u16', isHigh ? 31 : 120],
      [128, 'u16', 31],
      [129, 'u16', 0],
      [gridCharge, 'u16', 0],
      [141, 'u16', 1],
      [sellMode, 'u16', 2],
      [sellMost, 'u16', rated_W / powerStep],
      [145, 'u16', 1],
      [weekdays, 'u16', 1],
      [148, 'u16', 0],
      [149, 'u16', 2355],
      [slot_W, 'u16', rated_W / powerStep],
      [slotSoc, 'u16', 100],
      [slotCharge, 'u16', 0],
      [178, 'u16', 0],
    ],
    control,
  };
}
