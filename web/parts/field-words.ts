import type { FieldName } from '#contract/telemetry.ts';
import { language } from './text.ts';

const words: Record<FieldName, { en: string; sv: string }> = {
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
  total_import_Wh: { en: 'Imported in all', sv: 'Köpt totalt' },
  total_export_Wh: { en: 'Exported in all', sv: 'Sålt totalt' },
  total_generation_Wh: { en: 'Generated in all', sv: 'Producerat totalt' },
  total_charge_Wh: { en: 'Charged in all', sv: 'Laddat totalt' },
  total_discharge_Wh: { en: 'Discharged in all', sv: 'Urladdat totalt' },
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
  vehicle_soc_fract: { en: 'State of charge of the car', sv: 'Bilens laddnivå' },
  ev_min_energy_req_Wh: { en: 'The car needs at least', sv: 'Bilen behöver minst' },
  ev_max_energy_req_Wh: { en: 'The car takes at most', sv: 'Bilen tar emot högst' },
  session_charge_Wh: { en: 'Charged this time', sv: 'Laddat den här gången' },
  session_discharge_Wh: { en: 'Discharged this time', sv: 'Urladdat den här gången' },
  capacity_Wh: { en: 'Capacity', sv: 'Kapacitet' },
  rated_power_W: { en: 'Rated power', sv: 'Märkeffekt' },
  ac_W: { en: 'Power, AC side', sv: 'Effekt, AC-sidan' },
  unit1_W: { en: 'Power, first battery unit', sv: 'Effekt, första batterienheten' },
  unit1_SoC_fract: { en: 'State of charge, first battery unit', sv: 'Laddnivå, första batterienheten' },
  unit1_total_charge_Wh: { en: 'Charged in all, first battery unit', sv: 'Laddat totalt, första batterienheten' },
  unit1_total_discharge_Wh: {
    en: 'Discharged in all, first battery unit',
    sv: 'Urladdat totalt, första batterienheten',
  },
};

/** What a measured value is, in words; a field that is not known says its name. */
export const fieldWords = (name: string): string =>
  Object.hasOwn(words, name) ? words[name as FieldName][language.value] : name;
