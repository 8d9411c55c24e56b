import type { DerTypeId } from '#contract/der.ts';
import { type FieldName, telemetryFields } from '#contract/telemetry.ts';
import { directionWords } from './der-words.ts';
import { energy, number, percent, power } from './format.ts';
import { language, texts } from './text.ts';

const fieldNames: Record<FieldName, { en: string; sv: string }> = {
  W: { en: 'Power', sv: 'Effekt' },
  V: { en: 'Voltage', sv: 'Spänning' },
  A: { en: 'Current', sv: 'Ström' },
  Hz: { en: 'Frequency', sv: 'Frekvens' },
  L1_W: { en: 'Power, phase 1', sv: 'Effekt, fas 1' },
  L2_W: { en: 'Power, phase 2', sv: 'Effekt, fas 2' },
  L3_W: { en: 'Power, phase 3', sv: 'Effekt, fas 3' },
  L1_V: { en: 'Voltage, phase 1', sv: 'Spänning, fas 1' },
  L2_V: { en: 'Voltage, phase 2', sv: 'Spänning, fas 2' },
  L3_V: { en: 'Voltage, phase 3', sv: 'Spänning, fas 3' },
  L1_A: { en: 'Current, phase 1', sv: 'Ström, fas 1' },
  L2_A: { en: 'Current, phase 2', sv: 'Ström, fas 2' },
  L3_A: { en: 'Current, phase 3', sv: 'Ström, fas 3' },
  total_import_Wh: { en: 'Total import', sv: 'Köpt totalt' },
  total_export_Wh: { en: 'Total export', sv: 'Sålt totalt' },
  total_generation_Wh: { en: 'Total generation', sv: 'Producerat totalt' },
  total_charge_Wh: { en: 'Total charge', sv: 'Laddat totalt' },
  total_discharge_Wh: { en: 'Total discharge', sv: 'Urladdat totalt' },
  SoC_nom_fract: { en: 'State of charge', sv: 'Laddnivå' },
  temperature_C: { en: 'Temperature', sv: 'Temperatur' },
  heatsink_C: { en: 'Heat sink', sv: 'Kylfläns' },
  mppt1_V: { en: 'Voltage, string 1', sv: 'Spänning, sträng 1' },
  mppt1_A: { en: 'Current, string 1', sv: 'Ström, sträng 1' },
  mppt2_V: { en: 'Voltage, string 2', sv: 'Spänning, sträng 2' },
  mppt2_A: { en: 'Current, string 2', sv: 'Ström, sträng 2' },
  dc_W: { en: 'Power, DC side', sv: 'Effekt, DC-sidan' },
  dc_V: { en: 'Voltage, DC side', sv: 'Spänning, DC-sidan' },
  dc_A: { en: 'Current, DC side', sv: 'Ström, DC-sidan' },
  vehicle_soc_fract: { en: 'Car state of charge', sv: 'Bilens laddnivå' },
  ev_min_energy_req_Wh: { en: 'Minimum energy needed by the car', sv: 'Minsta energi bilen behöver' },
  ev_max_energy_req_Wh: { en: 'Maximum energy the car accepts', sv: 'Största energi bilen tar emot' },
  session_charge_Wh: { en: 'Charged this session', sv: 'Laddat denna session' },
  session_discharge_Wh: { en: 'Discharged this session', sv: 'Urladdat denna session' },
  capacity_Wh: { en: 'Capacity', sv: 'Kapacitet' },
  rated_power_W: { en: 'Rated power', sv: 'Märkeffekt' },
  ac_W: { en: 'Power, AC side', sv: 'Effekt, AC-sidan' },
  unit1_W: { en: 'Power, first battery unit', sv: 'Effekt, första batterienheten' },
  unit1_SoC_fract: { en: 'State of charge, first battery unit', sv: 'Laddnivå, första batterienheten' },
  unit1_total_charge_Wh: { en: 'Total charge, first battery unit', sv: 'Laddat totalt, första batterienheten' },
  unit1_total_discharge_Wh: {
    en: 'Total discharge, first battery unit',
    sv: 'Urladdat totalt, första batterienheten',
  },
};

const isKnown = (name: string): name is FieldName => Object.hasOwn(fieldNames, name);

/** Names a telemetry field in the language of the page; an unknown field keeps its technical name. */
export const fieldWords = (name: string): string => (isKnown(name) ? fieldNames[name][language.value] : name);

const t = texts({
  toGive: ['{energy} available to discharge', '{energy} kan laddas ur'],
});

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
