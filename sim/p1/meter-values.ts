import { hourMs } from '#contract/time.ts';
import { offsetAt, wallAt } from '#contract/time-zone.ts';
import type { HouseState } from '../house/state.ts';

export type MeterValues = ReturnType<typeof meterValues>;

/** Returns the values of a meter, split by direction; integer W and Wh. */
export function meterValues({ at, meter_W, phases, Wh }: HouseState) {
  return {
    at,
    import_W: Math.max(0, meter_W),
    export_W: Math.max(0, -meter_W),
    import_Wh: Math.floor(Wh.imported),
    export_Wh: Math.floor(Wh.exported),
    phases: phases.map(({ W, V, A }) => ({
      import_W: Math.max(0, W),
      export_W: Math.max(0, -W),
      V,
      A: Math.abs(A), // meters send currents as magnitudes
    })),
  };
}

const zone = 'Europe/Brussels';

/** Returns Central European time as a date whose UTC parts are the local ones. */
export const localTime = (at: number): { wall: Date; isSummer: boolean } => ({
  wall: new Date(wallAt(zone, at)),
  isSummer: offsetAt(zone, at) === 2 * hourMs,
});
