import type { DerKind } from './gateway/reading.ts';
import { type FieldName, fieldIndices } from './telemetry.ts';

export const derTypeIds = ['solar', 'battery', 'meter', 'ev_charger_port', 'load'] as const;
export type DerTypeId = (typeof derTypeIds)[number];

const phases: FieldName[] = ['L1_W', 'L2_W', 'L3_W', 'L1_V', 'L2_V', 'L3_V', 'L1_A', 'L2_A', 'L3_A'];
const electric: FieldName[] = ['W', 'V', 'A', 'Hz', ...phases];
const metered: FieldName[] = [...electric, 'total_import_Wh', 'total_export_Wh'];

const derTypeTable: Record<DerTypeId, { display_name: string; description: string; fields: FieldName[] }> = {
  solar: {
    display_name: 'Solar',
    description: 'Photovoltaic generation',
    fields: [
      ...electric,
      'total_generation_Wh',
      'heatsink_C',
      'mppt1_V',
      'mppt1_A',
      'mppt2_V',
      'mppt2_A',
      'rated_power_W',
      'ac_W',
      'dc_W',
    ],
  },
  battery: {
    display_name: 'Battery',
    description: 'Stationary battery storage',
    fields: [
      ...electric,
      'total_charge_Wh',
      'total_discharge_Wh',
      'SoC_nom_fract',
      'temperature_C',
      'dc_W',
      'dc_V',
      'dc_A',
      'capacity_Wh',
      'rated_power_W',
      'unit1_W',
      'unit1_SoC_fract',
      'unit1_total_charge_Wh',
      'unit1_total_discharge_Wh',
    ],
  },
  meter: {
    display_name: 'Meter',
    description: 'Meter at the grid connection or of one circuit',
    fields: metered,
  },
  ev_charger_port: {
    display_name: 'Car charger port',
    description: 'One port of a car charger, one-way or bidirectional',
    fields: [
      ...electric,
      'dc_W',
      'dc_V',
      'dc_A',
      'vehicle_soc_fract',
      'ev_min_energy_req_Wh',
      'ev_max_energy_req_Wh',
      'session_charge_Wh',
      'session_discharge_Wh',
      'total_charge_Wh',
      'total_discharge_Wh',
      'capacity_Wh',
      'rated_power_W',
    ],
  },
  load: { display_name: 'Load', description: 'Separately measured consumption', fields: metered },
};

export const deviceTypeIds = ['inverter', 'battery', 'ev_charger', 'v2x_charger', 'energy_meter', 'meter'] as const;
export type DeviceTypeId = (typeof deviceTypeIds)[number];

/** Device types with the DER types they may have. */
const deviceTypeTable: Record<DeviceTypeId, { display_name: string; description: string; allows: DerTypeId[] }> = {
  inverter: {
    display_name: 'Inverter',
    description: 'Solar or hybrid inverter',
    allows: ['solar', 'battery', 'meter'],
  },
  battery: { display_name: 'Battery', description: 'Battery with its own inverter', allows: ['battery', 'meter'] },
  ev_charger: { display_name: 'Car charger', description: 'One-way charger', allows: ['ev_charger_port'] },
  v2x_charger: {
    display_name: 'Two-way car charger',
    description: 'Charger that can also discharge the car',
    allows: ['ev_charger_port'],
  },
  energy_meter: { display_name: 'Energy meter', description: 'Meter at the grid connection', allows: ['meter'] },
  meter: {
    display_name: 'Sub-meter',
    description: 'Meter of one circuit or load; site totals leave it out',
    allows: ['load', 'meter'],
  },
};

export const publicDerTypes = derTypeIds.map((id) => {
  const { display_name, description, fields } = derTypeTable[id];
  return { id, display_name, description, schema_version: '1', telemetry_schema: fieldIndices(fields) };
});

export const publicDeviceTypes = deviceTypeIds.map((id) => {
  const { display_name, description, allows } = deviceTypeTable[id];
  return { id, display_name, description, allowed_der_types: allows };
});

export const allowedDerTypes = (device: DeviceTypeId): readonly DerTypeId[] => deviceTypeTable[device].allows;

const derTypeAliases: Record<string, DerTypeId> = {
  pv: 'solar',
  ev_port: 'ev_charger_port',
  ev: 'ev_charger_port',
  v2x_charger: 'ev_charger_port',
};

/** All accepted spellings of DER types. */
export const derTypeSpellings: readonly string[] = [...derTypeIds, ...Object.keys(derTypeAliases)];

export function derTypeOf(kind: DerKind): DerTypeId;
export function derTypeOf(spelling: string): DerTypeId | undefined;
export function derTypeOf(spelling: string): DerTypeId | undefined {
  return derTypeIds.find((id) => id === spelling) ?? own(derTypeAliases, spelling);
}

/** The gateway's name for each DER type. */
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
