import { useSignal } from '@preact/signals';
import { type AuditAction, type AuditEntry, listAudit } from '#contract/cloud/organizations.ts';
import { Button } from '../../parts/action.tsx';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { dateAndTime, power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  title: ['Activity log', 'Händelselogg'],
  you: ['You', 'Du'],
  operator: ['The platform operator', 'Plattformens driftansvariga'],
  more: ['Show more', 'Visa fler'],
  discharge: ['{power} discharge', '{power} urladdning'],
  yes: ['yes', 'ja'],
  no: ['no', 'nej'],
});

const pageSize = 20;

/** Shows the activity log of an organization, newest first. `turn` reloads it. */
export function AuditCard({ orgId, turn }: { orgId: string; turn: unknown }) {
  const count = useSignal(pageSize);
  const load = async (signal: AbortSignal): Promise<AuditEntry[]> => {
    const query = { limit: Math.min(count.value, 1000) }; // the most that the platform returns at once
    const entries: AuditEntry[] = [];
    for await (const entry of api().pages(listAudit, { params: { org_id: orgId }, query, signal })) {
      if (entries.push(entry) === count.value) break;
    }
    return entries;
  };
  const loaded = useLoad(load, [orgId, count.value], turn);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(entries) => (
          <>
            <ol class="audit">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Entry {...entry} />
                </li>
              ))}
            </ol>
            {(loaded.isLoading || entries.length === count.value) && (
              <Button label={t('more')} onClick={() => (count.value = entries.length + pageSize)} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Entry({ at, actor, action, object, details }: AuditEntry) {
  const isMe = actor === api().identityId;
  return (
    <>
      <span>
        {isMe || actor === 'operator' ? <b>{t(isMe ? 'you' : 'operator')}</b> : <code>{actor}</code>}{' '}
        {actionWords(action)}
      </span>
      <time class="says" dateTime={at}>
        {dateAndTime(Date.parse(at))}
      </time>
      <span class="says">
        <code>{object}</code> {detailWords(details)}
      </span>
    </>
  );
}

/** Describes an action; an unknown one is shown as it is. */
const { orName: actionWords } = texts<AuditAction>({
  'organization.created': ['created the organization', 'skapade organisationen'],
  'organization.renamed': ['renamed the organization', 'bytte namn på organisationen'],
  'organization.deleted': ['deleted the organization', 'raderade organisationen'],
  'member.added': ['added a member', 'lade till en medlem'],
  'member.changed': ['changed a member’s role', 'ändrade en medlems roll'],
  'member.removed': ['removed a member', 'tog bort en medlem'],
  'invitation.created': ['invited someone', 'bjöd in någon'],
  'invitation.accepted': ['accepted an invitation', 'tackade ja till en inbjudan'],
  'invitation.declined': ['declined an invitation', 'tackade nej till en inbjudan'],
  'invitation.withdrawn': ['revoked an invitation', 'återkallade en inbjudan'],
  'site.created': ['created a site', 'skapade en anläggning'],
  'site.changed': ['changed a site', 'ändrade en anläggning'],
  'site.deleted': ['deleted a site', 'raderade en anläggning'],
  'gateway.claimed': ['claimed a gateway', 'tog över en gateway'],
  'gateway.transferred_in': [
    'moved in a gateway from another organization',
    'flyttade hit en gateway från en annan organisation',
  ],
  'gateway.transferred_out': [
    'moved a gateway to another organization',
    'flyttade en gateway till en annan organisation',
  ],
  'gateway.released': ['released a gateway', 'frigjorde en gateway'],
  'gateway.listed': ['approved a gateway key', 'godkände en gatewaynyckel'],
  'device.provisioned': ['added a device', 'lade till en enhet'],
  'device.renamed': ['renamed a device', 'bytte namn på en enhet'],
  'device.deleted': ['deleted a device', 'raderade en enhet'],
  'der.added': ['added a part to a device', 'lade till en del på en enhet'],
  'der.renamed': ['renamed a part of a device', 'bytte namn på en del av en enhet'],
  'der.deleted': ['deleted a part of a device', 'raderade en del av en enhet'],
  'der.released': ['returned a device to automatic', 'återställde en enhet till automatläge'],
  'oauth_client.registered': ['registered an application', 'registrerade en app'],
  'oauth_client.removed': ['removed an application', 'tog bort en app'],
  'command.created': ['sent a command', 'skickade ett kommando'],
  'identity.disabled': ['blocked an account', 'spärrade ett konto'],
  'identity.enabled': ['unblocked an account', 'öppnade ett spärrat konto'],
});

const nameOf = texts({
  gateway_serial: ['gateway', 'gateway'],
  hardware_id: ['hardware ID', 'hårdvaru-ID'],
  fields: ['changed', 'ändrat'],
  from: ['from', 'från'],
  to: ['to', 'till'],
  role: ['role', 'roll'],
  device_count: ['devices that lost their gateway', 'enheter som blev utan gateway'],
  der_id: ['part', 'del'],
  device_id: ['device', 'enhet'],
  power_w: ['power', 'effekt'],
  ttl_s: ['duration (s)', 'varaktighet (s)'],
  type: ['type', 'typ'],
  created: ['new', 'ny'],
  name: ['name', 'namn'],
  application: ['application', 'app'],
});

/** Formats the details of an entry. */
const detailWords = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${nameOf.orName(name)}: ${valueWords(name, value)}`)
    .join(', ');

function valueWords(name: string, value: unknown): string {
  const watts = name === 'power_w' && power(Number(value));
  if (watts) return Number(value) < 0 ? t('discharge', { power: watts }) : watts;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.join(' + ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
