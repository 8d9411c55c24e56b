import type { DerTypeId } from '#contract/der.ts';
import { type FieldName, telemetryFields } from '#contract/telemetry.ts';
import { directionWords } from './der-words.ts';
import { energy, inSentence, number, percent, power, texts } from './text.ts';

/** Parts of a device whose power, voltage and current are fields of their own. */
export const partWords = texts({
  L1: 'Phase 1',
  L2: 'Phase 2',
  L3: 'Phase 3',
  mppt1: 'String 1',
  mppt2: 'String 2',
  dc: 'DC side',
  ac: 'AC side',
});
type WholeField = Exclude<FieldName, `${Parameters<typeof partWords>[0]}_${'W' | 'V' | 'A'}`>;

const fields = texts<WholeField>({
  W: 'Power',
  V: 'Voltage',
  A: 'Current',
  Hz: 'Frequency',
  total_import_Wh: 'Total import',
  total_export_Wh: 'Total export',
  total_generation_Wh: 'Total generation',
  total_charge_Wh: 'Total charge',
  total_discharge_Wh: 'Total discharge',
  SoC_nom_fract: 'State of charge',
  temperature_C: 'Temperature',
  heatsink_C: 'Heat sink',
  vehicle_soc_fract: 'Car state of charge',
  ev_min_energy_req_Wh: 'Minimum energy needed by the car',
  ev_max_energy_req_Wh: 'Maximum energy the car accepts',
  session_charge_Wh: 'Charged this session',
  session_discharge_Wh: 'Discharged this session',
  capacity_Wh: 'Capacity',
  rated_power_W: 'Rated power',
  unit1_W: 'Power, first battery unit',
  unit1_SoC_fract: 'State of charge, first battery unit',
  unit1_total_charge_Wh: 'Total charge, first battery unit',
  unit1_total_discharge_Wh: 'Total discharge, first battery unit',
});

/** Names a telemetry field; an unknown field keeps its technical name. */
export function fieldWords(field: string): string {
  const [, part = '', quantity = ''] = /^(\w+)_([WVA])$/.exec(field) ?? [];
  return partWords.has(part) ? `${fields.orName(quantity)}, ${inSentence(partWords(part))}` : fields.orName(field);
}

const t = texts({ toGive: '{energy} available to discharge' });

const unitOf = new Map(telemetryFields.map(({ name, unit }) => [name, unit]));

const flows = /^(L\d_|dc_|ac_|unit1_)?W$/;
const digits: Record<string, number> = { V: 1, A: 2, Hz: 2, '°C': 1 };

/** Returns a measured value with its unit, and for a power its direction in words. */
export const fieldValue = (name: string, value: number, type: DerTypeId): string =>
  flows.test(name) ? `${power(value)}, ${directionWords(type, value)}` : sizeOf(name, unitOf.get(name), value);

function sizeOf(name: string, unit: string | null | undefined, value: number): string {
  if (name.endsWith('_fract')) return percent(value);
  if (unit === 'W') return power(value);
  if (unit === 'Wh') return value < 0 ? t('toGive', { energy: energy(-value) }) : energy(value);
  // Not every device reports the direction of a current; the power beside it shows the direction.
  const shown = unit === 'A' ? Math.abs(value) : value;
  return unit ? `${number(shown, digits[unit] ?? 0)} ${unit}` : number(value, 2);
}
