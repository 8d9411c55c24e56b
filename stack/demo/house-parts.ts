import type { HouseState, Phase } from '#sim/house/state.ts';
import { stateOf } from '#sim/house/state.ts';
import type { House } from '#sim/house.ts';

// Several devices measure one house. Each sees its own part, so that the parts add up to the reading of the meter.

const garage_fract = 0.4; // of the panels; the rest is on the roof
const circuit_fract = 0.3; // of the load, behind the sub-meter

/** Returns the part of the hybrid inverter: the panels on the roof, the battery and the meter of the house. */
export const roof = (house: House): House => panels(house, 1 - garage_fract);

export const garage = (house: House): House => panels(house, garage_fract);

function panels(house: House, fract: number): House {
  const shareOf = (string: Phase): Phase => ({ ...string, W: string.W * fract, A: string.A * fract });
  return {
    ...house,
    sizes: { ...house.sizes, pvPeak_W: house.sizes.pvPeak_W * fract },
    limitPv: (limit_W) => house.limitPv(limit_W === undefined ? undefined : limit_W / fract),
    at(now) {
      const state = house.at(now);
      const roof_W = Math.round(state.pv_W * (1 - garage_fract)) || 0; // never -0
      return {
        ...state,
        pv_W: fract === garage_fract ? state.pv_W - roof_W : roof_W,
        strings: [shareOf(state.strings[0]), shareOf(state.strings[1])],
        Wh: { ...state.Wh, generated: state.Wh.generated * fract },
      };
    },
  };
}

/** Returns the part of a sub-meter: one circuit, as if it were the whole house. */
export const circuit = (house: House): House => ({
  ...house,
  at(now) {
    const state = house.at(now);
    const load_W = Math.round(state.load_W * circuit_fract);
    const grid = { Hz: state.Hz, V: [state.phases[0].V, state.phases[1].V, state.phases[2].V] as const };
    const Wh = { ...state.Wh, imported: consumed_Wh(state) * circuit_fract, exported: 0 };
    return stateOf(state.at, { load_W, pv_W: 0, battery_W: 0, charger_W: 0 }, state, grid, Wh);
  },
});

/** Returns the energy used by the load, from the other counters. */
const consumed_Wh = ({ Wh }: HouseState): number =>
  Wh.imported - Wh.exported + Wh.generated + Wh.discharged - Wh.charged + Wh.vehicleDischarged - Wh.vehicleCharged;
