import { useSignal } from '@preact/signals';
import type { EndReason } from '#contract/cloud/orders.ts';
import { type AuditAction, type AuditEntry, listAudit } from '#contract/cloud/organizations.ts';
import { derKindOf, derTypeIds } from '#contract/der.ts';
import { Button } from '../../parts/action.tsx';
import { derWords } from '../../parts/der-words.ts';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { dateAndTime, power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { personWords } from './person-words.ts';

const t = texts({
  title: 'Activity log',
  you: 'You',
  operator: 'The platform operator',
  more: 'Show more',
  discharge: '{power} discharge',
  yes: 'yes',
  no: 'no',
  nothing: 'nothing',
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

function Entry({ at, actor, actor_name, action, object, object_name, details }: AuditEntry) {
  const isMe = actor === api().identityId;
  const known = isMe ? 'you' : actor === 'operator' || actor === 'platform' ? actor : undefined;
  const more = detailWords(details, object_name);
  const who = known ? t(known) : personWords(actor_name, actor);
  return (
    <>
      <span>
        <b>{who}</b> {actionWords(action)}
      </span>
      <time class="says" dateTime={at}>
        {dateAndTime(Date.parse(at))}
      </time>
      <span class="says">
        {object_name ?? (/^(gateway|oauth_client)/.test(action) && <code>{object}</code>)}
        {object_name && more ? ' · ' : ' '}
        {more}
      </span>
    </>
  );
}

/** Describes an action; an unknown one is shown as it is. */
const { orName: actionWords } = texts<AuditAction>({
  'organization.created': 'created the organization',
  'organization.renamed': 'renamed the organization',
  'organization.deleted': 'deleted the organization',
  'member.added': 'added a member',
  'member.changed': 'changed a member’s role',
  'member.removed': 'removed a member',
  'invitation.created': 'invited someone',
  'invitation.accepted': 'accepted an invitation',
  'invitation.declined': 'declined an invitation',
  'invitation.withdrawn': 'revoked an invitation',
  'site.created': 'created a site',
  'site.changed': 'changed a site',
  'site.deleted': 'deleted a site',
  'gateway.claimed': 'claimed a gateway',
  'gateway.transferred_in': 'moved in a gateway from another organization',
  'gateway.transferred_out': 'moved a gateway to another organization',
  'gateway.released': 'released a gateway',
  'gateway.listed': 'approved a gateway key',
  'gateway.scan_requested': 'searched for devices with a gateway',
  'gateway.add_device_requested': 'asked a gateway to connect a device',
  'gateway.change_device_requested': 'changed what a gateway sends of a device',
  'device.provisioned': 'added a device',
  'device.renamed': 'renamed a device',
  'device.deleted': 'deleted a device',
  'der.added': 'added a part to a device',
  'der.renamed': 'renamed a part of a device',
  'der.deleted': 'deleted a part of a device',
  'der.released': 'returned a device to automatic',
  'oauth_client.registered': 'registered an application',
  'oauth_client.removed': 'removed an application',
  'command.created': 'sent a command',
  'order.created': 'sent a long command',
  'order.ended': 'ended a long command',
  'identity.disabled': 'blocked an account',
  'identity.enabled': 'unblocked an account',
  'identity.browser_added': 'added a browser to an account',
  'identity.browser_removed': 'removed a browser from an account',
});

const nameOf = texts({
  gateway_serial: 'gateway',
  hardware_id: 'hardware ID',
  fields: 'changed',
  from: 'from',
  to: 'to',
  role: 'role',
  device_count: 'devices that lost their gateway',
  power_w: 'power',
  ttl_s: 'duration (s)',
  type: 'type',
  created: 'new',
  name: 'name',
  application_name: 'application',
  description: 'browser',
  sn: 'serial number',
  profile: 'product',
  ip: 'address',
  port: 'port',
  unit_id: 'unit ID',
  serial_port: 'serial port',
  broker_host: 'broker',
  ders: 'sends',
  starts_at: 'from',
  ends_at: 'to',
  ended_by: 'reason',
  message: 'message',
});

/** Why a long command ended. */
const { orName: endWords } = texts<EndReason>({
  time: 'its time is over',
  target: 'the state of charge is reached',
  person: 'returned to automatic',
  replaced: 'a newer command replaced it',
  failed: 'failed',
  no_access: 'the person may no longer control the device',
});

/** Names what was changed of a site. */
const { orName: fieldName } = texts({
  name: 'name',
  latitude: 'location',
  longitude: 'location',
  timezone: 'time zone',
  country: 'country',
  price_area: 'price area',
  tariff_id: 'grid tariff',
  fuse_a: 'main fuse',
  contract: 'contract',
  alert_rules: 'alert rules',
  alert_hooks: 'receivers of alerts',
  'plan.mode': 'use of plans',
  'plan.paused_until': 'pause of plans',
  'plan.reserve_pct': 'reserve for outages',
  'plan.max_import_w': 'limit of the plan',
  'plan.export_at_negative_price': 'sale at negative prices',
  'plan.battery_for_car': 'battery for the car',
  'plan.battery_to_grid': 'sale from the battery',
  'plan.cars': 'departures',
  'plan.storages': 'batteries and cars',
});

const isId = (value: unknown): boolean => typeof value === 'string' && /^[a-z]{3}-[\da-f-]{36}$/.test(value);

/** Formats the details of an entry, except identifiers and what is its name anyway. */
const detailWords = (details: Record<string, unknown>, itsName: string | null): string =>
  Object.entries(details)
    .filter(
      ([name, value]) =>
        !['application', 'kind', 'mode'].includes(name) &&
        value !== itsName &&
        !isId(value) &&
        !(Array.isArray(value) && value.length === 0),
    )
    .map(([name, value]) => `${nameOf.orName(name)}: ${valueWords(name, value)}`)
    .join(', ');

function valueWords(name: string, value: unknown): string {
  const watts = name === 'power_w' && power(Number(value));
  if (watts) return Number(value) < 0 ? t('discharge', { power: watts }) : watts;
  if (name === 'starts_at' || name === 'ends_at') return dateAndTime(Number(value));
  if (name === 'type') return connectionNames[String(value)] ?? derWords.orName(String(value));
  if (name === 'ders' && Array.isArray(value)) return partsSent(value);
  if (name === 'ended_by') return endWords(String(value));
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return [...new Set(value.map((each) => fieldName(String(each))))].join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const connectionNames: Record<string, string> = {
  modbus_tcp: 'Modbus TCP',
  modbus_rtu: 'Modbus RTU',
  p1_uart: 'P1',
  mqtt: 'MQTT',
};

/** Names the parts of a device that a gateway was asked to send. */
function partsSent(parts: readonly { type?: unknown; enabled?: unknown }[]): string {
  const sent = parts.filter(({ enabled }) => enabled === true);
  const typeOf = (kind: unknown) => derTypeIds.find((type) => derKindOf[type] === kind);
  const names = sent.map(({ type }) => derWords.orName(typeOf(type) ?? String(type)));
  return names.length === 0 ? t('nothing') : names.join(', ');
}
