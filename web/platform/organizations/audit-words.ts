import type { AuditAction } from '#contract/cloud/organizations.ts';
import { power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { hasKey } from '../has-key.ts';

const words: Record<'en' | 'sv', Record<AuditAction, string>> = {
  en: {
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
    'identity.disabled': 'blocked an account',
    'identity.enabled': 'unblocked an account',
  },
  sv: {
    'organization.created': 'skapade organisationen',
    'organization.renamed': 'bytte namn på organisationen',
    'organization.deleted': 'raderade organisationen',
    'member.added': 'lade till en medlem',
    'member.changed': 'ändrade en medlems roll',
    'member.removed': 'tog bort en medlem',
    'invitation.created': 'bjöd in någon',
    'invitation.accepted': 'tackade ja till en inbjudan',
    'invitation.declined': 'tackade nej till en inbjudan',
    'invitation.withdrawn': 'återkallade en inbjudan',
    'site.created': 'skapade en anläggning',
    'site.changed': 'ändrade en anläggning',
    'site.deleted': 'raderade en anläggning',
    'gateway.claimed': 'tog över en gateway',
    'gateway.transferred_in': 'flyttade hit en gateway från en annan organisation',
    'gateway.transferred_out': 'flyttade en gateway till en annan organisation',
    'gateway.released': 'frigjorde en gateway',
    'gateway.listed': 'godkände en gatewaynyckel',
    'device.provisioned': 'lade till en enhet',
    'device.renamed': 'bytte namn på en enhet',
    'device.deleted': 'raderade en enhet',
    'der.added': 'lade till en del på en enhet',
    'der.renamed': 'bytte namn på en del av en enhet',
    'der.deleted': 'raderade en del av en enhet',
    'der.released': 'återställde en enhet till automatläge',
    'oauth_client.registered': 'registrerade en app',
    'oauth_client.removed': 'tog bort en app',
    'command.created': 'skickade ett kommando',
    'identity.disabled': 'spärrade ett konto',
    'identity.enabled': 'öppnade ett spärrat konto',
  },
};

const t = texts(words);

/** Describes an action; unknown actions are shown verbatim. */
export const actionWords = (action: string): string => (hasKey(words.en, action) ? t(action) : action);

const names = {
  en: {
    gateway_serial: 'gateway',
    hardware_id: 'hardware ID',
    fields: 'changed',
    from: 'from',
    to: 'to',
    role: 'role',
    device_count: 'devices that lost their gateway',
    der_id: 'part',
    device_id: 'device',
    power_w: 'power',
    ttl_s: 'duration (s)',
    type: 'type',
    created: 'new',
    name: 'name',
    application: 'application',
  },
  sv: {
    gateway_serial: 'gateway',
    hardware_id: 'hårdvaru-ID',
    fields: 'ändrat',
    from: 'från',
    to: 'till',
    role: 'roll',
    device_count: 'enheter som blev utan gateway',
    der_id: 'del',
    device_id: 'enhet',
    power_w: 'effekt',
    ttl_s: 'varaktighet (s)',
    type: 'typ',
    created: 'ny',
    name: 'namn',
    application: 'app',
  },
};

const given = texts({ en: { out: '{power} discharge' }, sv: { out: '{power} urladdning' } });
const yesNo = texts({ en: { yes: 'yes', no: 'no' }, sv: { yes: 'ja', no: 'nej' } });
const nameOf = texts(names);

/** Formats the details of an entry. */
export const detailWords = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => {
      const word = hasKey(names.en, name) ? nameOf(name) : name;
      return `${word}: ${name === 'power_w' ? powerWords(Number(value)) : valueWords(value)}`;
    })
    .join(', ');

/** Negative power means discharging. */
const powerWords = (watt: number): string => (watt < 0 ? given('out', { power: power(watt) }) : power(watt));

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return yesNo(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.join(' + ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
