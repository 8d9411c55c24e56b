import type { DerKind } from './gateway/reading.ts';
import { type FieldName, fieldIndices } from './telemetry.ts';

export const derTypeIds = ['solar', 'battery', 'meter', 'ev_charger_port', 'load'] as const;
export type DerTypeId = (typeof derTypeIds)[number];

const phases: FieldName[] = ['L1_W', 'L2_W', 'L3_W', 'L1_V', 'L2_V', 'L3_V', 'L1_A', 'L2_A', 'L3_A'];
const electric: FieldName[] = ['W', 'V', 'A', 'Hz', ...phases];
const metered: FieldName[] = [...electric, 'total_import_Wh', 'total_export_Wh'];

const dc: FieldName[] = ['dc_W', 'dc_V', 'dc_A'];
const trackers: FieldName[] = ['mppt1_V', 'mppt1_A', 'mppt2_V', 'mppt2_A'];
const cycled: FieldName[] = ['total_charge_Wh', 'total_discharge_Wh'];
const firstUnit: FieldName[] = ['unit1_W', 'unit1_SoC_fract', 'unit1_total_charge_Wh', 'unit1_total_discharge_Wh'];
const requested: FieldName[] = ['vehicle_soc_fract', 'ev_min_energy_req_Wh', 'ev_max_energy_req_Wh'];
const session: FieldName[] = ['session_charge_Wh', 'session_discharge_Wh'];

const solar: FieldName[] = ['total_generation_Wh', 'heatsink_C', ...trackers, 'rated_power_W', 'ac_W', 'dc_W'];
const sized: FieldName[] = ['capacity_Wh', 'rated_power_W'];
const stored: FieldName[] = [...cycled, 'SoC_nom_fract', 'temperature_C', ...dc, ...sized, ...firstUnit];

const derTypeTable: Record<DerTypeId, [display_name: string, description: string, fields: FieldName[]]> = {
  solar: ['Solar', 'Photovoltaic generation', [...electric, ...solar]],
  battery: ['Battery', 'Stationary battery storage', [...electric, ...stored]],
  meter: ['Meter', 'Meter at the grid connection or of one circuit', metered],
  ev_charger_port: [
    'Car charger port',
    'One port of a car charger, one-way or bidirectional',
    [...electric, ...dc, ...requested, ...session, ...cycled, ...sized],
  ],
  load: ['Load', 'Separately measured consumption', metered],
};

export const deviceTypeIds = ['inverter', 'battery', 'ev_charger', 'v2x_charger', 'energy_meter', 'meter'] as const;
export type DeviceTypeId = (typeof deviceTypeIds)[number];

const deviceTypeTable: Record<DeviceTypeId, [display_name: string, description: string, allowed: DerTypeId[]]> = {
  inverter: ['Inverter', 'Solar or hybrid inverter', ['solar', 'battery', 'meter']],
  battery: ['Battery', 'Battery with its own inverter', ['battery', 'meter']],
  ev_charger: ['Car charger', 'One-way charger', ['ev_charger_port']],
  v2x_charger: ['Two-way car charger', 'Charger that can also discharge the car', ['ev_charger_port']],
  energy_meter: ['Energy meter', 'Meter at the grid connection', ['meter']],
  meter: ['Sub-meter', 'Meter of one circuit or load; site totals leave it out', ['load', 'meter']],
};

export const publicDerTypes = derTypeIds.map((id) => {
  const [display_name, description, fields] = derTypeTable[id];
  return { id, display_name, description, schema_version: '1', telemetry_schema: fieldIndices(fields) };
});

export const publicDeviceTypes = deviceTypeIds.map((id) => {
  const [display_name, description, allowed_der_types] = deviceTypeTable[id];
  return { id, display_name, description, allowed_der_types };
});

export const allowedDerTypes = (device: DeviceTypeId): readonly DerTypeId[] => deviceTypeTable[device][2];

const derTypeAliases: Record<string, DerTypeId> = {
  pv: 'solar',
  ev_port: 'ev_charger_port',
  ev: 'ev_charger_port',
  v2x_charger: 'ev_charger_port',
};

export const derTypeSpellings: readonly string[] = [...derTypeIds, ...Object.keys(derTypeAliases)];

export function derTypeOf(kind: DerKind): DerTypeId;
export function derTypeOf(spelling: string): DerTypeId | undefined;
export function derTypeOf(spelling: string): DerTypeId | undefined {
  return derTypeIds.find((id) => id === spelling) ?? own(derTypeAliases, spelling);
}

export const derKindOf: Record<DerTypeId, DerKind> = {
  solar: 'pv',
  battery: 'battery',
  meter: 'meter',
  ev_charger_port: 'v2x_charger',
  load: 'meter',
};

const deviceTypeAliases: Record<string, DeviceTypeId> = { charger: 'ev_charger' };

export function deviceTypeOf(spelling: string): DeviceTypeId | undefined {
  return deviceTypeIds.find((id) => id === spelling) ?? own(deviceTypeAliases, spelling);
}

const own = <V>(table: Record<string, V>, key: string): V | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** How long telemetry may still exist after a deletion. */
export const erasedWithinHours = 24;

export const erasesTelemetry = `Their telemetry is erased within ${erasedWithinHours} hours, at every resolution, and cannot be restored.`;
