import type { SiteReading } from '#contract/client/site-stream.ts';
import type { Device, DeviceState } from '#contract/cloud/devices.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { Age } from '../../parts/age.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { derWords } from '../../parts/der-words.ts';
import { fieldValue, fieldWords } from '../../parts/field-words.ts';
import { Card, Details } from '../../parts/layout.tsx';
import { number, texts, translated } from '../../parts/text.ts';

const t = texts({
  none: 'No data yet.',
  orphaned: 'No new data until the device is added again. Earlier data is in the history.',
  make: 'Manufacturer',
  lower_limit_W: 'Lower limit per phase',
  upper_limit_W: 'Upper limit per phase',
  read_time_ms: 'Read time',
});

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
              <span>{words}</span>
              <b class="number">{value}</b>
              {meaning && meaning !== words && <span class="says">{meaning}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <p class="says">{t(isOrphaned ? 'orphaned' : 'none')}</p>
      )}
      <Details>
        <p class="says">
          {name} · <CopyableId id={id} />
        </p>
        {reading && (
          <ul class="readings">
            {rowsOf(reading).map(({ name, words }) => (
              <li key={name}>
                {words} <code>{name}</code>
              </li>
            ))}
          </ul>
        )}
      </Details>
    </Card>
  );
}

/** Describes the measurements, and what else a device reports. */
function rowsOf(reading: SiteReading): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const { name, description } of telemetryFields) {
    const value = reading[name];
    if (typeof value !== 'number') continue;
    rows.push({
      name,
      words: fieldWords(name),
      value: fieldValue(name, value, reading.der_type),
      meaning: translated(description),
    });
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
