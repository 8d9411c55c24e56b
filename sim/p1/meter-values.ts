import type { HouseState } from '../house/state.ts';

/** Values of a meter, split by direction; integer W and Wh. */
export type MeterValues = {
  at: number;
  import_W: number;
  export_W: number;
  import_Wh: number;
  export_Wh: number;
  phases: { import_W: number; export_W: number; V: number; A: number }[];
};

export function meterValues({ at, meter_W, phases, Wh }: HouseState): MeterValues {
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
