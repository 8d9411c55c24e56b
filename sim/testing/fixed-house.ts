import { commandedPower, createCommands } from '../house/commands.ts';
import { type Counters, type HouseState, stateOf } from '../house/state.ts';
import { defaultSizes, type House } from '../house.ts';

export type FixedValues = Partial<
  Pick<
    HouseState,
    'pv_W' | 'battery_W' | 'battery_soc_fract' | 'charger_W' | 'vehicle_soc_fract' | 'isPlugged' | 'load_W' | 'Hz'
  >
> & { V?: readonly [number, number, number]; Wh?: Partial<Counters> };

const counters: Counters = {
  generated: 1_234_500,
  charged: 410_000,
  discharged: 390_000,
  vehicleCharged: 280_000,
  vehicleDischarged: 35_000,
  imported: 678_900,
  exported: 765_400,
};

/** A house with constant values that only commands change. */
export function fixedHouse(values: FixedValues = {}): House {
  const commands = createCommands();
  const { load_W = 500, battery_W = 0, charger_W = 0 } = values;
  const levels = {
    battery_soc_fract: values.battery_soc_fract ?? 0.5,
    vehicle_soc_fract: values.vehicle_soc_fract ?? 0.6,
    isPlugged: values.isPlugged ?? charger_W !== 0,
  };
  const grid = { Hz: values.Hz ?? 50, V: values.V ?? ([230, 231, 229] as const) };
  const Wh = { ...counters, ...values.Wh };
  return {
    sizes: defaultSizes,
    at(now) {
      const pv_W = Math.max(values.pv_W ?? 0, -commands.pvLimit_W());
      const charger = levels.isPlugged ? (commands.charger(now)?.charger_W ?? charger_W) : 0;
      const others_W = load_W + pv_W + charger;
      const battery = commandedPower(commands.battery(now), battery_W, others_W);
      const excess_W = Math.max(0, -(others_W + battery) - commands.exportLimit_W());
      const powers = { load_W, pv_W: Math.min(0, pv_W + excess_W), charger_W: charger, battery_W: battery };
      return stateOf(now, powers, levels, grid, Wh);
    },
    ...commands.controls,
  };
}
