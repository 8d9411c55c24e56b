import { texts } from '../../parts/text.ts';

/** What the fields of a reading are called; one that is not here is shown by its own name. */
const fieldWords = {
  en: {
    W: 'Power',
    V: 'Voltage',
    A: 'Current',
    Hz: 'Frequency',
    L1: 'Phase 1',
    L2: 'Phase 2',
    L3: 'Phase 3',
    total_import_Wh: 'Imported in all',
    total_export_Wh: 'Exported in all',
    total_generation_Wh: 'Generated in all',
    total_charge_Wh: 'Charged in all',
    total_discharge_Wh: 'Discharged in all',
    session_charge_Wh: 'Charged in this session',
    session_discharge_Wh: 'Discharged in this session',
    SoC_nom_fract: 'State of charge',
    vehicle_soc_fract: 'State of charge of the car',
    unit1_SoC_fract: 'State of charge of unit 1',
    temperature_C: 'Temperature of the battery',
    heatsink_C: 'Temperature of the heat sink',
    mppt1: 'Tracker 1',
    mppt2: 'Tracker 2',
    dc: 'Direct current side',
    ac: 'Alternating current side',
    unit1_W: 'Power of unit 1',
  },
  sv: {
    W: 'Effekt',
    V: 'Spänning',
    A: 'Ström',
    Hz: 'Frekvens',
    L1: 'Fas 1',
    L2: 'Fas 2',
    L3: 'Fas 3',
    total_import_Wh: 'Importerat totalt',
    total_export_Wh: 'Exporterat totalt',
    total_generation_Wh: 'Producerat totalt',
    total_charge_Wh: 'Laddat totalt',
    total_discharge_Wh: 'Urladdat totalt',
    session_charge_Wh: 'Laddat denna gång',
    session_discharge_Wh: 'Urladdat denna gång',
    SoC_nom_fract: 'Laddningsnivå',
    vehicle_soc_fract: 'Bilens laddningsnivå',
    unit1_SoC_fract: 'Laddningsnivå, enhet 1',
    temperature_C: 'Batteriets temperatur',
    heatsink_C: 'Kylflänsens temperatur',
    mppt1: 'Solsträng 1',
    mppt2: 'Solsträng 2',
    dc: 'Likströmssidan',
    ac: 'Växelströmssidan',
    unit1_W: 'Effekt, enhet 1',
  },
};

const t = texts(fieldWords);

type Word = keyof typeof fieldWords.en;
const isWord = (name: string): name is Word => Object.hasOwn(fieldWords.en, name);

/** L1_V is told by its phase: what is measured stands at the chart. */
export function fieldName(field: string): string {
  const part = field.slice(0, field.lastIndexOf('_'));
  if (isWord(field)) return t(field);
  return isWord(part) ? t(part) : field;
}
