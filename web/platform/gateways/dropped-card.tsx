import type { DropReason, GatewayDetails } from '#contract/cloud/gateways.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { type Language, texts } from '../../parts/text.ts';
import { hasKey } from '../has-key.ts';

const t = texts({
  en: {
    title: 'Rejected messages',
    none: 'No messages were rejected.',
    since: 'Since the platform was last started.',
  },
  sv: {
    title: 'Avvisade meddelanden',
    none: 'Inga meddelanden har avvisats.',
    since: 'Sedan plattformen senast startades.',
  },
});

const words: Record<Language, Record<DropReason, string>> = {
  en: {
    malformed: 'could not be parsed',
    too_large: 'too large',
    not_finite: 'contained a value that is not a number',
    out_of_range: 'contained a value out of range',
    too_old: 'older than the retention period',
    not_provisioned: 'from devices that have not been added to a site',
    ambiguous_der: 'named a type that several parts of the device have',
    before_claim: 'measured before you claimed the gateway',
    unstorable: 'could not be stored',
    quota: 'exceeded the organization’s daily telemetry quota',
    too_many_fields: 'exceeded the number of fields per device',
  },
  sv: {
    malformed: 'gick inte att tolka',
    too_large: 'för stora',
    not_finite: 'innehöll ett värde som inte är ett tal',
    out_of_range: 'innehöll ett orimligt värde',
    too_old: 'äldre än lagringstiden',
    not_provisioned: 'från enheter som inte har lagts till i en anläggning',
    ambiguous_der: 'angav en typ som flera delar av enheten har',
    before_claim: 'mättes innan du tog över gatewayen',
    unstorable: 'kunde inte sparas',
    quota: 'översteg organisationens dygnskvot för mätdata',
    too_many_fields: 'översteg antalet fält per enhet',
  },
};

const wordsFor = texts(words);

/** Returns the text of a reason; unknown reasons are shown verbatim. */
const reasonWords = (reason: string): string => (hasKey(words.en, reason) ? wordsFor(reason) : reason);

/** Lists rejected messages of a gateway by reason. */
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
