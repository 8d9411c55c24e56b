import type { DerTypeId } from '#contract/der.ts';
import { type FieldName, telemetryFields } from '#contract/telemetry.ts';
import { directionWords } from './der-words.ts';
import { energy, inSentence, number, percent, power, texts } from './text.ts';

/** Parts of a device whose power, voltage and current are fields of their own. */
export const partWords = texts({
  L1: ['Phase 1', 'Fas 1'],
  L2: ['Phase 2', 'Fas 2'],
  L3: ['Phase 3', 'Fas 3'],
  mppt1: ['String 1', 'Sträng 1'],
  mppt2: ['String 2', 'Sträng 2'],
  dc: ['DC side', 'DC-sidan'],
  ac: ['AC side', 'AC-sidan'],
});
export type WholeField = Exclude<FieldName, `${Parameters<typeof partWords>[0]}_${'W' | 'V' | 'A'}`>;

const fields = texts<WholeField>({
  W: ['Power', 'Effekt'],
  V: ['Voltage', 'Spänning'],
  A: ['Current', 'Ström'],
  Hz: ['Frequency', 'Frekvens'],
  total_import_Wh: ['Total import', 'Köpt totalt'],
  total_export_Wh: ['Total export', 'Sålt totalt'],
  total_generation_Wh: ['Total generation', 'Producerat totalt'],
  total_charge_Wh: ['Total charge', 'Laddat totalt'],
  total_discharge_Wh: ['Total discharge', 'Urladdat totalt'],
  SoC_nom_fract: ['State of charge', 'Laddnivå'],
  temperature_C: ['Temperature', 'Temperatur'],
  heatsink_C: ['Heat sink', 'Kylfläns'],
  vehicle_soc_fract: ['Car state of charge', 'Bilens laddnivå'],
  ev_min_energy_req_Wh: ['Minimum energy needed by the car', 'Minsta energi bilen behöver'],
  ev_max_energy_req_Wh: ['Maximum energy the car accepts', 'Största energi bilen tar emot'],
  session_charge_Wh: ['Charged this session', 'Laddat denna session'],
  session_discharge_Wh: ['Discharged this session', 'Urladdat denna session'],
  capacity_Wh: ['Capacity', 'Kapacitet'],
  rated_power_W: ['Rated power', 'Märkeffekt'],
  unit1_W: ['Power, first battery unit', 'Effekt, första batterienheten'],
  unit1_SoC_fract: ['State of charge, first battery unit', 'Laddnivå, första batterienheten'],
  unit1_total_charge_Wh: ['Total charge, first battery unit', 'Laddat totalt, första batterienheten'],
  unit1_total_discharge_Wh: ['Total discharge, first battery unit', 'Urladdat totalt, första batterienheten'],
});

/** Names a telemetry field; an unknown field keeps its technical name. */
export function fieldWords(field: string): string {
  const [, part = '', quantity = ''] = /^(\w+)_([WVA])$/.exec(field) ?? [];
  return partWords.has(part) ? `${fields.orName(quantity)}, ${inSentence(partWords(part))}` : fields.orName(field);
}

const t = texts({ toGive: ['{energy} available to discharge', '{energy} kan laddas ur'] });

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
