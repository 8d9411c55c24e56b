import { type FieldName, telemetryFields } from '#contract/telemetry.ts';
import { texts } from '../../parts/text.ts';

/** In English as the contract says it. */
const meanings = texts({
  en: Object.fromEntries(telemetryFields.map(({ name, description }) => [name, description])) as Record<
    FieldName,
    string
  >,
  sv: {
    W: 'Aktiv effekt; in i det som mäts (köp, laddning) eller ut ur det',
    V: 'Spänning',
    A: 'Ström, åt samma håll som effekten',
    Hz: 'Nätfrekvens',
    L1_W: 'Aktiv effekt i fas 1',
    L2_W: 'Aktiv effekt i fas 2',
    L3_W: 'Aktiv effekt i fas 3',
    L1_V: 'Spänning i fas 1',
    L2_V: 'Spänning i fas 2',
    L3_V: 'Spänning i fas 3',
    L1_A: 'Ström i fas 1',
    L2_A: 'Ström i fas 2',
    L3_A: 'Ström i fas 3',
    total_import_Wh: 'Köpt energi sedan installationen',
    total_export_Wh: 'Såld energi sedan installationen',
    total_generation_Wh: 'Producerad energi sedan installationen',
    total_charge_Wh: 'Laddad energi sedan installationen',
    total_discharge_Wh: 'Urladdad energi sedan installationen',
    SoC_nom_fract: 'Laddnivå, del av den nominella kapaciteten',
    temperature_C: 'Batteriets temperatur',
    heatsink_C: 'Kylflänsens temperatur',
    mppt1_V: 'Spänning, MPPT 1',
    mppt1_A: 'Ström, MPPT 1',
    mppt2_V: 'Spänning, MPPT 2',
    mppt2_A: 'Ström, MPPT 2',
    dc_W: 'Effekt på likströmssidan',
    dc_V: 'Spänning på likströmssidan',
    dc_A: 'Ström på likströmssidan',
    vehicle_soc_fract: 'Bilens laddnivå',
    ev_min_energy_req_Wh: 'Minsta energi som bilen begär',
    ev_max_energy_req_Wh: 'Största energi som bilen kan ta emot',
    session_charge_Wh: 'Laddad energi den här gången',
    session_discharge_Wh: 'Urladdad energi den här gången',
    capacity_Wh: 'Batteriets kapacitet',
    rated_power_W: 'Enhetens märkeffekt',
    ac_W: 'Effekt på växelströmssidan, där W är panelernas',
    unit1_W: 'Effekt i den första av flera batterienheter',
    unit1_SoC_fract: 'Laddnivå i den första av flera batterienheter',
    unit1_total_charge_Wh: 'Laddad energi i den första av flera batterienheter',
    unit1_total_discharge_Wh: 'Urladdad energi ur den första av flera batterienheter',
  },
});

const known = new Set<string>(telemetryFields.map(({ name }) => name));

/** What a field means; undefined for one that the contract does not describe. */
export const meaningOf = (name: string): string | undefined =>
  known.has(name) ? meanings(name as FieldName) : undefined;
