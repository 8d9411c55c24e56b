/** The state of the house at one time. Power into the house or into a store is positive. */
export type HouseState = {
  at: number;
  /** zero or negative */
  pv_W: number;
  /** + charge */
  battery_W: number;
  battery_soc_fract: number;
  /** + charge */
  charger_W: number;
  vehicle_soc_fract: number;
  isPlugged: boolean;
  load_W: number;
  /** + import; the sum of the other four */
  meter_W: number;
  phases: readonly [Phase, Phase, Phase];
  Hz: number;
  /** PV strings, whose power is positive */
  strings: readonly [Phase, Phase];
  battery_V: number;
  battery_C: number;
  inverter_C: number;
  Wh: Counters;
};

/** A has the sign of W. */
export type Phase = { W: number; V: number; A: number };

const vehicleCounters = ['vehicleCharged', 'vehicleDischarged'] as const;
export const counterNames = ['generated', 'charged', 'discharged', ...vehicleCounters, 'imported', 'exported'] as const;
export type Counters = Record<(typeof counterNames)[number], number>;

/** Levels and counters from which a house starts. */
export type HouseStart = Counters & Pick<HouseState, 'battery_soc_fract' | 'vehicle_soc_fract'>;

export const startFrom = ({ Wh, battery_soc_fract, vehicle_soc_fract }: HouseState): HouseStart => ({
  ...Wh,
  battery_soc_fract,
  vehicle_soc_fract,
});

export type Powers = Pick<HouseState, 'pv_W' | 'battery_W' | 'charger_W' | 'load_W'>;
export type Levels = Pick<HouseState, 'battery_soc_fract' | 'vehicle_soc_fract' | 'isPlugged'>;
export type Grid = { Hz: number; V: readonly [number, number, number] };

export const meterOf = ({ load_W, pv_W, battery_W, charger_W }: Powers): number =>
  load_W + pv_W + battery_W + charger_W;

/** Derives all other values from the powers, which are integers, so that sums are exact. */
export function stateOf(at: number, powers: Powers, levels: Levels, grid: Grid, Wh: Counters): HouseState {
  const meter_W = meterOf(powers);
  const inverter_W = powers.pv_W + powers.battery_W + powers.charger_W; // balanced over three phases
  const L1 = Math.round(powers.load_W * 0.5 + inverter_W / 3);
  const L2 = Math.round(powers.load_W * 0.3 + inverter_W / 3);
  const phase = (W: number, index: 0 | 1 | 2): Phase => ({ W, V: grid.V[index], A: W / grid.V[index] });
  const east_W = Math.round(-powers.pv_W * 0.6);
  return {
    at,
    ...powers,
    ...levels,
    meter_W,
    phases: [phase(L1, 0), phase(L2, 1), phase(meter_W - L1 - L2, 2)],
    Hz: grid.Hz,
    strings: [pvString(east_W, 620), pvString(-powers.pv_W - east_W, 410)],
    battery_V: round(380 + 60 * levels.battery_soc_fract, 1),
    battery_C: round(18 + Math.abs(powers.battery_W) / 1000, 1),
    inverter_C: round(25 + Math.abs(powers.pv_W) / 400, 1),
    Wh,
  };
}

const pvString = (W: number, V: number): Phase => (W > 0 ? { W, V, A: W / V } : { W: 0, V: 0, A: 0 });

export function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** Conditions that a user can override; null is the simulated value. */
export type Conditions = {
  /** 0 is a clear sky, 1 an overcast one */
  clouds: number | null;
  /** fixed solar time, in hours since midnight */
  sunHour: number | null;
  extraLoad_W: number;
  isCarHome: boolean | null;
  /** charging power of the car without a command */
  carCharge_W: number | null;
};

export const defaultConditions: Conditions = {
  clouds: null,
  sunHour: null,
  extraLoad_W: 0,
  isCarHome: null,
  carCharge_W: null,
};
