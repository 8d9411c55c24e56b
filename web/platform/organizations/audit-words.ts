import type { AuditAction } from '#contract/cloud/organizations.ts';
import { power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const words: Record<'en' | 'sv', Record<AuditAction, string>> = {
  en: {
    'organization.created': 'made the organization',
    'organization.renamed': 'renamed the organization',
    'organization.deleted': 'deleted the organization',
    'member.added': 'added a member',
    'member.changed': 'changed the role of a member',
    'member.removed': 'removed a member',
    'invitation.created': 'invited somebody',
    'invitation.accepted': 'joined by an invitation',
    'invitation.declined': 'declined an invitation',
    'invitation.withdrawn': 'withdrew an invitation',
    'site.created': 'made a site',
    'site.changed': 'changed a site',
    'site.deleted': 'deleted a site',
    'gateway.claimed': 'claimed a gateway',
    'gateway.transferred_in': 'brought in a gateway of another organization',
    'gateway.transferred_out': 'took a gateway to another organization',
    'gateway.released': 'released a gateway',
    'gateway.listed': 'listed the key of a gateway',
    'device.provisioned': 'provisioned a device',
    'device.renamed': 'renamed a device',
    'device.deleted': 'deleted a device',
    'der.added': 'added a part to a device',
    'der.renamed': 'renamed a part of a device',
    'der.deleted': 'deleted a part of a device',
    'der.released': 'let go of a part',
    'oauth_client.registered': 'registered an application',
    'oauth_client.removed': 'removed an application',
    'command.created': 'gave a command',
    'identity.disabled': 'closed the door to an identity',
    'identity.enabled': 'opened the door to an identity again',
  },
  sv: {
    'organization.created': 'skapade organisationen',
    'organization.renamed': 'bytte organisationens namn',
    'organization.deleted': 'raderade organisationen',
    'member.added': 'lade till en medlem',
    'member.changed': 'ändrade en medlems roll',
    'member.removed': 'tog bort en medlem',
    'invitation.created': 'bjöd in någon',
    'invitation.accepted': 'gick med genom en inbjudan',
    'invitation.declined': 'tackade nej till en inbjudan',
    'invitation.withdrawn': 'drog tillbaka en inbjudan',
    'site.created': 'skapade en anläggning',
    'site.changed': 'ändrade en anläggning',
    'site.deleted': 'raderade en anläggning',
    'gateway.claimed': 'tog över en gateway',
    'gateway.transferred_in': 'hämtade hit en gateway från en annan organisation',
    'gateway.transferred_out': 'flyttade en gateway till en annan organisation',
    'gateway.released': 'släppte en gateway',
    'gateway.listed': 'förtecknade en gateways nyckel',
    'device.provisioned': 'lade till en enhet',
    'device.renamed': 'bytte namn på en enhet',
    'device.deleted': 'raderade en enhet',
    'der.added': 'lade till en del på en enhet',
    'der.renamed': 'bytte namn på en del av en enhet',
    'der.deleted': 'raderade en del av en enhet',
    'der.released': 'släppte en del',
    'oauth_client.registered': 'registrerade en applikation',
    'oauth_client.removed': 'tog bort en applikation',
    'command.created': 'gav ett kommando',
    'identity.disabled': 'stängde ute en identitet',
    'identity.enabled': 'släppte in en identitet igen',
  },
};

const t = texts(words);

/** What was done, in words; an action that this page has not heard of stays as it is. */
export const actionWords = (action: string): string =>
  Object.hasOwn(words.en, action) ? t(action as AuditAction) : action;

const names = {
  en: {
    gateway_serial: 'gateway',
    hardware_id: 'hardware id',
    fields: 'what',
    from: 'from',
    to: 'to',
    role: 'role',
    device_count: 'devices that became orphaned',
    der_id: 'part',
    device_id: 'device',
    power_w: 'power',
    ttl_s: 'for seconds',
    type: 'kind',
    created: 'new',
    name: 'name',
    application: 'by the application',
  },
  sv: {
    gateway_serial: 'gateway',
    hardware_id: 'hårdvaru-id',
    fields: 'vad',
    from: 'från',
    to: 'till',
    role: 'roll',
    device_count: 'enheter som blev föräldralösa',
    der_id: 'del',
    device_id: 'enhet',
    power_w: 'effekt',
    ttl_s: 'i sekunder',
    type: 'slag',
    created: 'ny',
    name: 'namn',
    application: 'genom applikationen',
  },
};

const given = texts({ en: { out: '{power} out' }, sv: { out: '{power} ut' } });
const yesNo = texts({ en: { yes: 'yes', no: 'no' }, sv: { yes: 'ja', no: 'nej' } });
const nameOf = texts(names);

/** What the platform noted beside an action. */
export const detailWords = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => {
      const word = Object.hasOwn(names.en, name) ? nameOf(name as keyof typeof names.en) : name;
      return `${word}: ${name === 'power_w' ? powerWords(Number(value)) : valueWords(value)}`;
    })
    .join(', ');

/** Below zero a battery or a car gives. */
const powerWords = (watt: number): string => (watt < 0 ? given('out', { power: power(watt) }) : power(watt));

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return yesNo(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.join(' + ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
