import type { AuditAction } from '#contract/cloud/organizations.ts';
import { power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts<AuditAction>({
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

/** Describes an action; unknown actions are shown verbatim. */
export const actionWords = (action: string): string => t.orName(action);

const given = texts({ out: ['{power} discharge', '{power} urladdning'] });
const yesNo = texts({
  yes: ['yes', 'ja'],
  no: ['no', 'nej'],
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
export const detailWords = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => {
      return `${nameOf.orName(name)}: ${name === 'power_w' ? powerWords(Number(value)) : valueWords(value)}`;
    })
    .join(', ');

/** Negative power means discharging. */
const powerWords = (watt: number): string => (watt < 0 ? given('out', { power: power(watt) }) : power(watt));

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return yesNo(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.join(' + ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
