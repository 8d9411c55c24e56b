import type { ObjectKind } from '#contract/access.ts';
import { paramNames, type Route } from '#contract/route.ts';
import type { TestCloud } from '../cloud/open-cloud.ts';
import { ed25519, p256 } from '../cloud/people.ts';
import { type Actor, worldCell } from './world.ts';

/** The ids that a request names. */
export type Names = Partial<
  Record<ObjectKind | 'member' | 'client' | 'invitation' | 'hook' | 'channel' | 'secret', string>
>;

const kindOfParam: Record<string, keyof Names> = {
  org_id: 'organization',
  site_id: 'site',
  serial: 'gateway',
  device_id: 'device',
  der_id: 'der',
  identity_id: 'member',
  client_id: 'client',
  invitation_id: 'invitation',
  hook_id: 'hook',
  channel_id: 'channel',
  secret: 'secret',
};

/** Publicly known things. */
const publicParams: Record<string, string> = { id: 'solar', h3_index: worldCell, sn: 'INV-1' };

type Body = (names: Names, actor: Actor, cloud: TestCloud) => object;

/** A valid body for every route that takes one. */
const bodies: Record<string, Body> = {
  'POST /identity/register': () => ({ public_key: ed25519().publicKey }),
  'POST /auth/challenge': () => ({ public_key: ed25519().publicKey }),
  'PUT /identity/me': () => ({ name: 'New' }),
  'POST /identity/pairing/confirm': () => ({ public_key: ed25519().publicKey, signature: 'ab'.repeat(64) }),
  'POST /identity/pairing/join': () => ({
    secret: 'unknown',
    public_key: ed25519().publicKey,
    signature: 'ab'.repeat(64),
  }),
  'POST /organizations': () => ({ name: 'New' }),
  'PUT /organizations/{org_id}': () => ({ name: 'New' }),
  'POST /organizations/{org_id}/members': (_, actor) => ({ identity_id: actor.id, role: 'viewer' }),
  'POST /organizations/{org_id}/invitations': () => ({ role: 'viewer' }),
  'PUT /organizations/{org_id}/members/{identity_id}': () => ({ role: 'operator' }),
  'POST /sites': ({ organization }) => ({ org_id: organization, name: 'New' }),
  'PUT /sites/{site_id}': () => ({ name: 'New' }),
  'PUT /sites/{site_id}/contract': () => ({ periods: [{ valid_from: '2026-01-01', pricing: 'spot' }] }),
  'POST /sites/{site_id}/what-if': () => ({ battery_wh: 5000 }),
  'PUT /sites/{site_id}/alert-rules': () => ({ command_failed: { enabled: false } }),
  'PUT /sites/{site_id}/alert-following': () => ({ follows: true }),
  'POST /sites/{site_id}/alert-hooks': () => ({ kind: 'webhook', url: 'https://hooks.invalid/new' }),
  'POST /alert-channels': () => ({
    push: { endpoint: 'https://push.invalid/new', keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } },
    language: 'en',
  }),
  'POST /alert-channels/{channel_id}/verify': () => ({ code: '123456' }),
  'PUT /sites/{site_id}/plan/goals': () => ({ mode: 'show', reserve_pct: 20 }),
  'POST /sites/{site_id}/plan/preview': () => ({ reserve_pct: 20 }),
  'POST /gateways/claim': ({ organization }, actor, cloud) => cloud.claimOf(actor, organization!, p256()),
  'POST /gateways/{serial}/manage/devices': () => ({ type: 'modbus_tcp', profile: 'sungrow', ip: '192.168.1.20' }),
  'POST /gateways/{serial}/manage/devices/{sn}': () => ({ ders: [{ type: 'pv', enabled: true }] }),
  'POST /nearby/gateways/sign': () => ({ gateway_serial: 'ohm-none' }),
  'POST /devices/provision': ({ site, gateway }) => ({
    gateway_serial: gateway,
    hardware_id: 'NEW',
    device_type: 'inverter',
    site_id: site,
  }),
  'PUT /devices/{device_id}': () => ({ name: 'New' }),
  'PUT /ders/{der_id}': () => ({ name: 'new' }),
  'POST /stream/tickets': ({ site }) => ({ site_id: site }),
  'POST /ders/{der_id}/commands': () => ({ power_w: 100 }),
  'POST /ders/{der_id}/orders': () => ({ power_w: 100, for_s: 7200 }),
  'POST /organizations/{org_id}/oauth-clients': () => ({
    name: 'New',
    redirect_uris: ['https://new.example/'],
    confidential: true,
  }),
  'POST /internal/mqtt/auth': () => ({ username: 'x' }),
  'POST /internal/mqtt/acl': () => ({ username: 'x' }),
  'POST /devices/{device_id}/ders': () => ({ name: 'extra', type: 'meter' }),
};

/** Builds the request of a route that names these objects. */
export function requestOf(route: Route, names: Names, actor: Actor, cloud: TestCloud) {
  const key = `${route.method} ${route.path}`;
  const path = paramNames(route.path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(names[kindOfParam[name]!] ?? publicParams[name]!)),
    route.path as string,
  );
  const query =
    typeof route.access === 'object' && route.access.needs.some(({ from }) => from === 'query.org_id')
      ? `?org_id=${names.organization}`
      : '';
  if (route.body && !bodies[key]) throw new Error(`Write a valid body for ${key}.`);
  return { method: route.method, url: path + query, body: bodies[key]?.(names, actor, cloud) };
}
