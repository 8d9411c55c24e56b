import type { DropReason, GatewayDetails } from '#contract/cloud/gateways.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  title: ['Rejected messages', 'Avvisade meddelanden'],
  none: ['No messages were rejected.', 'Inga meddelanden har avvisats.'],
  since: ['Since the platform was last started.', 'Sedan plattformen senast startades.'],
});

const reasonTexts = texts<DropReason>({
  malformed: ['could not be parsed', 'gick inte att tolka'],
  too_large: ['too large', 'för stora'],
  not_finite: ['contained a value that is not a number', 'innehöll ett värde som inte är ett tal'],
  out_of_range: ['contained a value out of range', 'innehöll ett orimligt värde'],
  too_old: ['older than the retention period', 'äldre än lagringstiden'],
  not_provisioned: [
    'from devices that have not been added to a site',
    'från enheter som inte har lagts till i en anläggning',
  ],
  ambiguous_der: ['named a type that several parts of the device have', 'angav en typ som flera delar av enheten har'],
  before_claim: ['measured before you claimed the gateway', 'mättes innan du tog över gatewayen'],
  unstorable: ['could not be stored', 'kunde inte sparas'],
  quota: ['exceeded the organization’s daily telemetry quota', 'översteg organisationens dygnskvot för mätdata'],
  too_many_fields: ['exceeded the number of fields per device', 'översteg antalet fält per enhet'],
});

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
              <b class="number">{number(count)}</b> {reasonTexts.orName(reason)}
            </li>
          ))}
        </ul>
      )}
      <p class="says">{t('since')}</p>
    </Card>
  );
}
