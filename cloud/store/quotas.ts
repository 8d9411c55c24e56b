import { table } from './table.ts';

const ofSameOwner = 'org_id = (select org_id from gateways where serial = devices.gateway_serial)';

/** Counts what an identity, an organization, a gateway or a device uses of each quota, up to a limit. */
export const countUsed = {
  organizations: table('organizations').count('created_by'),
  sites: table('sites').count('org_id'),
  gateways: table('gateways').count('org_id'),
  devices: table('devices').count('org_id'),
  gateway_devices: table('devices', ofSameOwner).count('gateway_serial'), // not those that a former owner left
  ders: table('ders').count('device_id'),
  invitations: table('invitations', 'ended_at is null').count('org_id'), // expired ones are ended before
  oauth_clients: table('oauth_clients').count('org_id'),
  alert_channels: table('alert_channels').count('identity_id'),
  alert_hooks: table('alert_channels').count('site_id'),
};
