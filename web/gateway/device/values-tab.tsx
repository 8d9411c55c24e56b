import { derTypeOf } from '#contract/der.ts';
import type { DerEntry } from '#contract/gateway/devices.ts';
import type { DerReading } from '#contract/gateway/reading.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { fieldValue, fieldWords } from '../../parts/field-words.ts';
import { number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import type { DeviceWithReadings } from '../devices.ts';
import { type Fact, Facts } from '../facts.tsx';

const t = texts({
  none: ['No values yet.', 'Inga värden ännu.'],
  status: ['Status', 'Status'],
  lower: ['Lower limit per phase', 'Undre gräns per fas'],
  upper: ['Upper limit per phase', 'Övre gräns per fas'],
  took: ['Read time', 'Lästid'],
  ms: ['{ms} ms', '{ms} ms'],
  sent: ['Sent to the platform', 'Skickas till plattformen'],
  kept: ['Not sent', 'Skickas inte'],
});

export function ValuesTab({ device: { ders, readings } }: { device: DeviceWithReadings }) {
  return (
    <div class="cards">
      {ders.map((der) => (
        <DerCard key={der.type} der={der} reading={readings[der.type]} />
      ))}
    </div>
  );
}

function DerCard({ der: { type, enabled }, reading }: { der: DerEntry; reading: DerReading | undefined }) {
  return (
    <Card title={derWords(derTypeOf(type))} beside={<Age ms={reading?.timestamp} />}>
      <span class={`tag ${enabled ? 'good' : ''}`}>{t(enabled ? 'sent' : 'kept')}</span>
      {reading ? <Facts of={factsOf(reading)} /> : <p class="says">{t('none')}</p>}
    </Card>
  );
}

function factsOf(reading: DerReading): Fact[] {
  const type = derTypeOf(reading.type);
  const measured = telemetryFields.flatMap(({ name }): Fact[] => {
    const value = reading[name];
    return typeof value === 'number' ? [[fieldWords(name), fieldValue(name, value, type)]] : [];
  });
  const limit = (watts: unknown): string | undefined =>
    Array.isArray(watts) ? watts.map((each) => fieldValue('W', Number(each), type)).join('; ') : undefined;
  return [
    ...measured,
    [t('status'), typeof reading.status === 'string' ? reading.status : undefined],
    [t('lower'), limit(reading.lower_limit_W)],
    [t('upper'), limit(reading.upper_limit_W)],
    [t('took'), t('ms', { ms: number(reading.read_time_ms) })],
  ];
}
