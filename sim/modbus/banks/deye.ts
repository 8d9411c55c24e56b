import type { HouseState } from '../../house/state.ts';
import { type Bank, type Control, counters, phases, registers, strings, table } from '../bank.ts';

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
    holding: table({ 0: 60, 500: 200 }, [
      [0, 'u16', isHigh ? 6 : 5],
      [3, 5, serial],
      [20, 'u32le', rated_W, 0.1],
      [217, 'u16', (h) => h.battery_C + 100, 0.1],
      ...counters('u32le', 100, { charged: 516, discharged: 518, imported: 522, exported: 524, generated: 534 }),
      [541, 'u16', (h) => h.inverter_C, 0.1],
      [587, 'u16', volts, isHigh ? 0.1 : 0.01],
      [588, 'u16', (h) => h.battery_soc_fract, 0.01],
      [590, 'i16', (h) => -h.battery_W, powerStep],
      [591, 'i16', (h) => -h.battery_W / volts(h), 0.01],
      ...phases(598, 'u16', 'V', 0.1),
      [609, 'u16', (h) => h.Hz, 0.01],
      ...phases(613, 'i16', 'A', 0.01),
      ...phases(616, 'i16', 'W'),
      [619, 'i16', (h) => h.meter_W],
      ...phases(622, 'i16', 'W'),
      [625, 'i16', (h) => h.meter_W],
      ...strings(672, 'u16', 'W', powerStep),
      ...strings(676, 'u16', 'V', 0.1, 2),
      ...strings(677, 'u16', 'A', 0.1, 2),
    ]),
    settings: [
      ...registers('u16', { [chargeMost_A]: isHigh ? 31 : 120, [dischargeMost_A]: isHigh ? 31 : 120, 128: 31, 129: 0 }),
      ...registers('u16', { [gridCharge]: 0, 141: 1, [sellMode]: 2, [sellMost]: rated_W / powerStep, 145: 1 }),
      ...registers('u16', { [weekdays]: 1, 148: 0, 149: 2355, [slot_W]: rated_W / powerStep, [slotSoc]: 100 }),
      ...registers('u16', { [slotCharge]: 0, 178: 0 }),
    ],
    control,
  };
}
