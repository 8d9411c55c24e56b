import type { DropReason, GatewayDetails } from '#contract/cloud/gateways.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { type Language, texts } from '../../parts/text.ts';

const words: Record<Language, Record<DropReason, string>> = {
  en: {
    malformed: 'could not be read',
    too_large: 'were too large',
    not_finite: 'held something that is no number',
    out_of_range: 'held a value that cannot be',
    too_old: 'were older than anything that is kept',
    not_provisioned: 'were of devices that nobody has added to a site',
    ambiguous_der: 'named a type that several DERs of the device have',
    before_claim: 'were measured before this gateway came to you',
    unstorable: 'could not be stored',
    quota: 'were beyond the daily telemetry quota of the organization',
    too_many_fields: 'had more fields than are kept for a device',
  },
  sv: {
    malformed: 'gick inte att läsa',
    too_large: 'var för stora',
    not_finite: 'innehöll något som inte är ett tal',
    out_of_range: 'innehöll ett värde som inte kan stämma',
    too_old: 'var äldre än allt som sparas',
    not_provisioned: 'kom från enheter som ingen har lagt till i en anläggning',
    ambiguous_der: 'angav en typ som flera delar av enheten har',
    before_claim: 'mättes innan denna gateway kom till dig',
    unstorable: 'kunde inte sparas',
    quota: 'översteg organisationens dagliga kvot för mätdata',
    too_many_fields: 'hade fler fält än vad som sparas för en enhet',
  },
};

const wordsFor = texts(words);

/** A reason that this page has not heard of stays as it is. */
const reasonWords = (reason: string): string =>
  Object.hasOwn(words.en, reason) ? wordsFor(reason as DropReason) : reason;

const t = texts({
  en: {
    title: 'What was not kept',
    none: 'Everything that came was kept.',
    since: 'Counted since the platform was last started.',
  },
  sv: {
    title: 'Det som inte sparades',
    none: 'Allt som kom har sparats.',
    since: 'Räknat sedan plattformen senast startades.',
  },
});

/** Messages of a gateway that the platform dropped, by reason. */
export function DroppedCard({ dropped }: { dropped: GatewayDetails['dropped'] }) {
  const reasons = Object.entries(dropped);
  return (
    <Card title={t('title')}>
      {reasons.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <ul class="dropped">
          {reasons.map(([reason, count]) => (
            <li key={reason}>
              <b class="number">{number(count)}</b> {reasonWords(reason)}
            </li>
          ))}
        </ul>
      )}
      <p class="says">{t('since')}</p>
    </Card>
  );
}
