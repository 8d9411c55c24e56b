import type { SiteReading } from '#contract/client/site-stream.ts';
import type { Device, DeviceState } from '#contract/cloud/devices.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { Age } from '../../parts/age.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { derWords } from '../../parts/der-words.ts';
import { fieldValue, fieldWords, partWords, type WholeField } from '../../parts/field-words.ts';
import { Card } from '../../parts/layout.tsx';
import { inSentence, language, number, texts } from '../../parts/text.ts';

const t = texts({
  none: ['No data yet.', 'Inga data ännu.'],
  orphaned: [
    'No new data until the device is added again. Earlier data is in the history.',
    'Inga nya data förrän enheten läggs till igen. Tidigare data finns i historiken.',
  ],
  make: ['Manufacturer', 'Tillverkare'],
  lower_limit_W: ['Lower limit per phase', 'Nedre gräns per fas'],
  upper_limit_W: ['Upper limit per phase', 'Övre gräns per fas'],
  read_time_ms: ['Read time', 'Avläsningstid'],
});

/** English descriptions come from the contract. Fields of a part are described by their name. */
const swedish: Record<string, string> = {
  W: 'Aktiv effekt; in i det som mäts (köp, laddning) eller ut ur det',
  V: 'Spänning',
  A: 'Ström, åt samma håll som effekten',
  Hz: 'Nätfrekvens',
  total_import_Wh: 'Köpt energi sedan installationen',
  total_export_Wh: 'Såld energi sedan installationen',
  total_generation_Wh: 'Producerad energi sedan installationen',
  total_charge_Wh: 'Laddad energi sedan installationen',
  total_discharge_Wh: 'Urladdad energi sedan installationen',
  SoC_nom_fract: 'Laddnivå, del av den nominella kapaciteten',
  temperature_C: 'Batteriets temperatur',
  heatsink_C: 'Kylflänsens temperatur',
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
} satisfies Record<WholeField | 'ac_W', string>;

function swedishMeaning(field: string): string | undefined {
  const part = field.slice(0, -2);
  if (!partWords.has(part) || swedish[field]) return swedish[field];
  return `${fieldWords(field.slice(-1))} ${part.endsWith('c') ? 'på' : 'i'} ${inSentence(partWords(part))}`;
}

type FieldRow = { name: string; words: string; value: string; meaning?: string | undefined };

type DerCardProps = { der: Device['ders'][number]; state: DeviceState; reading: SiteReading | undefined };

/** Shows all values of a DER's latest reading. */
export function DerCard({ der: { id, name, type }, state, reading }: DerCardProps) {
  const isOrphaned = state === 'orphaned';
  return (
    <Card title={derWords(type)} beside={(reading || !isOrphaned) && <Age ms={reading?.timestamp} />}>
      {reading ? (
        <ul class="readings">
          {rowsOf(reading).map(({ name, words, value, meaning }) => (
            <li key={name}>
              <span>
                {words} <code>{name}</code>
              </span>
              <b class="number">{value}</b>
              {meaning && meaning !== words && <span class="says">{meaning}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <p class="says">{t(isOrphaned ? 'orphaned' : 'none')}</p>
      )}
      <p class="says">
        {name} · <CopyableId id={id} />
      </p>
    </Card>
  );
}

/** Describes the measurements, and what else a device reports. */
function rowsOf(reading: SiteReading): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const { name, description } of telemetryFields) {
    const value = reading[name];
    if (typeof value !== 'number') continue;
    const meaning = language.value === 'sv' ? swedishMeaning(name) : description;
    rows.push({ name, words: fieldWords(name), value: fieldValue(name, value, reading.der_type), meaning });
  }
  for (const name of ['lower_limit_W', 'upper_limit_W', 'make', 'status', 'read_time_ms'] as const) {
    const value = reading[name];
    if (Array.isArray(value)) {
      const powers = value.map((watts) => fieldValue('W', Number(watts), reading.der_type));
      rows.push({ name, words: t(name), value: powers.join('; ') });
    } else if (typeof value === 'number') rows.push({ name, words: t(name), value: `${number(value)} ms` });
    else if (typeof value === 'string') rows.push({ name, words: t(name), value });
  }
  return rows;
}
