import { Nullable, type Static, Titled, Type } from './schema.ts';

/** A measured value: name on the wire, unit and meaning. Signs follow docs/units-and-signs.md. */
export const TelemetryField = Titled('TelemetryField', {
  index: Type.Integer(),
  name: Type.String(),
  unit: Nullable(Type.String()),
  description: Type.String(),
});
export type TelemetryField = Static<typeof TelemetryField>;

// The position in this list is the published index. Append only.
const fields = [
  ['W', 'W', 'Active power; positive flows into the measured object (import, charging), negative out of it'],
  ['V', 'V', 'Voltage'],
  ['A', 'A', 'Current, with the sign of the power'],
  ['Hz', 'Hz', 'Grid frequency'],
  ['L1_W', 'W', 'Active power of phase 1'],
  ['L2_W', 'W', 'Active power of phase 2'],
  ['L3_W', 'W', 'Active power of phase 3'],
  ['L1_V', 'V', 'Voltage of phase 1'],
  ['L2_V', 'V', 'Voltage of phase 2'],
  ['L3_V', 'V', 'Voltage of phase 3'],
  ['L1_A', 'A', 'Current of phase 1'],
  ['L2_A', 'A', 'Current of phase 2'],
  ['L3_A', 'A', 'Current of phase 3'],
  ['total_import_Wh', 'Wh', 'Energy imported since installation'],
  ['total_export_Wh', 'Wh', 'Energy exported since installation'],
  ['total_generation_Wh', 'Wh', 'Energy generated since installation'],
  ['total_charge_Wh', 'Wh', 'Energy charged since installation'],
  ['total_discharge_Wh', 'Wh', 'Energy discharged since installation'],
  ['SoC_nom_fract', null, 'State of charge as a fraction of the nominal capacity, 0 to 1'],
  ['temperature_C', '°C', 'Temperature of the battery'],
  ['heatsink_C', '°C', 'Temperature of the heat sink'],
  ['mppt1_V', 'V', 'Voltage of the first tracker'],
  ['mppt1_A', 'A', 'Current of the first tracker'],
  ['mppt2_V', 'V', 'Voltage of the second tracker'],
  ['mppt2_A', 'A', 'Current of the second tracker'],
  ['dc_W', 'W', 'Power on the direct-current side; positive is charging'],
  ['dc_V', 'V', 'Voltage on the direct-current side'],
  ['dc_A', 'A', 'Current on the direct-current side'],
  ['vehicle_soc_fract', null, 'State of charge of the car, 0 to 1'],
  ['ev_min_energy_req_Wh', 'Wh', 'Minimum energy that the car requests'],
  ['ev_max_energy_req_Wh', 'Wh', 'Maximum energy that the car can take'],
  ['session_charge_Wh', 'Wh', 'Energy charged in this session'],
  ['session_discharge_Wh', 'Wh', 'Energy discharged in this session'],
  ['capacity_Wh', 'Wh', 'Capacity of the battery'],
  ['rated_power_W', 'W', 'Rated power of the device'],
  ['ac_W', 'W', 'Power on the alternating-current side, if W is the power of the panels'],
  ['unit1_W', 'W', 'Power of the first of several battery units'],
  ['unit1_SoC_fract', null, 'State of charge of the first of several battery units, 0 to 1'],
  ['unit1_total_charge_Wh', 'Wh', 'Energy charged into the first of several battery units'],
  ['unit1_total_discharge_Wh', 'Wh', 'Energy discharged from the first of several battery units'],
] as const satisfies readonly (readonly [name: string, unit: string | null, description: string])[];

export type FieldName = (typeof fields)[number][0];

export const telemetryFields: readonly TelemetryField[] = fields.map(([name, unit, description], index) => ({
  index,
  name,
  unit,
  description,
}));

const indexOf = new Map<string, number>(fields.map(([name], index) => [name, index]));

export const isFieldName = (name: string): name is FieldName => indexOf.has(name);

export const fieldIndices = (names: readonly FieldName[]): number[] =>
  names.map((name) => fields.findIndex(([known]) => known === name));

/** Tells whether a field is a counter, which only grows until the device is replaced. */
export const isCounter = (name: string): boolean => /(^|_)total_\w+_Wh$/.test(name);

type Bounds = { min: number; max: number };

const anything: Bounds = { min: -(2 ** 53), max: 2 ** 53 }; // the range in which JSON integers are exact, for example seq

// Values outside these bounds are errors of the unit or of the device, even for a large plant.
const bounds: readonly [ending: RegExp, Bounds][] = [
  [/(^|_)Hz$/, { min: 0, max: 100 }],
  [/_fract$/, { min: 0, max: 1 }],
  [/^ev_\w+_req_Wh$/, { min: -1e9, max: 1e9 }], // negative: the car has energy to give
  [/_Wh$/, { min: 0, max: 1e13 }],
  [/(^|_)W$/, { min: -1e9, max: 1e9 }],
  [/(^|_)V$/, { min: -100_000, max: 100_000 }],
  [/(^|_)A$/, { min: -100_000, max: 100_000 }],
  [/_C$/, { min: -100, max: 1000 }],
];

const boundsByName = new Map<string, Bounds>(
  fields.map(([name]) => [name, bounds.find(([ending]) => ending.test(name))?.[1] ?? anything]),
);

export const boundsOf = (name: string): Bounds => boundsByName.get(name) ?? anything;
