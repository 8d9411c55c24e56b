import type { DerKind, Values } from '#contract/gateway/reading.ts';
import { type HouseState, round } from '../house/state.ts';

/** Readings of each DER of the house, in the units and signs of docs/units-and-signs.md. */
const readings: Record<DerKind, (h: HouseState) => Values> = {
  meter: ({ meter_W, Hz, phases: [L1, L2, L3], Wh }) => ({
    W: meter_W,
    Hz,
    L1_W: L1.W,
    L2_W: L2.W,
    L3_W: L3.W,
    L1_V: L1.V,
    L2_V: L2.V,
    L3_V: L3.V,
    total_import_Wh: Math.round(Wh.imported),
    total_export_Wh: Math.round(Wh.exported),
  }),
  pv: ({ pv_W, Wh }) => ({ W: pv_W, total_generation_Wh: Math.round(Wh.generated) }),
  battery: ({ battery_W, battery_V, battery_soc_fract, battery_C, Wh }) => ({
    W: battery_W,
    V: battery_V,
    SoC_nom_fract: round(battery_soc_fract, 4),
    temperature_C: battery_C,
    total_charge_Wh: Math.round(Wh.charged),
    total_discharge_Wh: Math.round(Wh.discharged),
  }),
  v2x_charger: ({ charger_W, isPlugged, vehicle_soc_fract, Hz, Wh }) => ({
    W: charger_W,
    Hz,
    ...(isPlugged && { vehicle_soc_fract: round(vehicle_soc_fract, 3) }),
    total_charge_Wh: Math.round(Wh.vehicleCharged),
    total_discharge_Wh: Math.round(Wh.vehicleDischarged),
  }),
};

export const readingOf = (kind: DerKind, state: HouseState): string =>
  JSON.stringify({ type: kind, timestamp: state.at, read_time_ms: 0, make: 'Simulated', ...readings[kind](state) });
