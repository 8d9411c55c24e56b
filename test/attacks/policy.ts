import type { Role } from '#contract/access.ts';

/**
 * Required access, written by hand and reviewed as a whole: the least role that a member needs on the object.
 * `anyone` needs no token, `internal` the secret of brokers, `identity` any token, `holder` a token of an identity that may hold organizations.
 */
export const leastRole: Record<string, Role | 'anyone' | 'internal' | 'identity' | 'holder'> = {
  'POST /identity/register': 'anyone',
  'POST /auth/challenge': 'anyone',
  'POST /auth/verify': 'anyone',
  'GET /.well-known/jwks.json': 'anyone',
  'GET /public/cells': 'anyone',
  'GET /public/cells/{h3_index}/stats': 'anyone',
  'GET /public/der-types': 'anyone',
  'GET /public/der-types/{id}': 'anyone',
  'GET /public/device-types': 'anyone',
  'GET /public/telemetry-fields': 'anyone',
  'GET /health': 'anyone',
  'GET /ready': 'anyone',
  'GET /metrics': 'anyone',

  'GET /oauth/authorize': 'anyone',
  'GET /oauth/authorize/request': 'anyone',
  'POST /oauth/token': 'anyone',
  'GET /oauth/userinfo': 'anyone',
  'POST /oauth/revoke': 'anyone',
  'POST /oauth/introspect': 'anyone',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'GET /.well-known/openid-configuration': 'anyone',

  'POST /internal/mqtt/auth': 'internal',
  'POST /internal/mqtt/acl': 'internal',

  'GET /identity/me': 'identity',
  'POST /auth/revoke': 'identity',
  'GET /organizations': 'identity',
  'POST /organizations': 'holder',
  'GET /invitations/{secret}': 'holder',
  'POST /invitations/{secret}/accept': 'holder',
  'POST /invitations/{secret}/decline': 'holder',
  'POST /oauth/authorize/complete': 'holder',
  'GET /identity/consents': 'identity',
  'DELETE /identity/consents/{consent_id}': 'identity',

  'GET /organizations/{org_id}': 'viewer',
  'PUT /organizations/{org_id}': 'admin',
  'DELETE /organizations/{org_id}': 'owner',
  'GET /organizations/{org_id}/members': 'viewer',
  'POST /organizations/{org_id}/members': 'admin',
  'GET /organizations/{org_id}/members/{identity_id}': 'viewer',
  'PUT /organizations/{org_id}/members/{identity_id}': 'admin',
  'DELETE /organizations/{org_id}/members/{identity_id}': 'admin',
  'POST /organizations/{org_id}/invitations': 'admin',
  'GET /organizations/{org_id}/invitations': 'admin',
  'DELETE /organizations/{org_id}/invitations/{invitation_id}': 'admin',
  'GET /organizations/{org_id}/audit': 'admin',
  'GET /organizations/{org_id}/usage': 'viewer',
  'POST /organizations/{org_id}/oauth-clients': 'admin',
  'GET /organizations/{org_id}/oauth-clients': 'admin',
  'DELETE /organizations/{org_id}/oauth-clients/{client_id}': 'admin',

  'GET /sites': 'viewer', // of the organization in the filter; others get an empty list
  'POST /sites': 'admin',
  'GET /sites/{site_id}': 'viewer',
  'PUT /sites/{site_id}': 'admin',
  'DELETE /sites/{site_id}': 'admin',
  'GET /sites/{site_id}/devices': 'viewer',
  'GET /sites/{site_id}/contract': 'viewer',
  'PUT /sites/{site_id}/contract': 'admin',

  'GET /sites/{site_id}/telemetry': 'viewer',
  'GET /stream/sites/{site_id}': 'viewer',
  'POST /stream/tickets': 'viewer',

  'POST /gateways/claim': 'admin',
  'GET /gateways': 'viewer', // as GET /sites
  'GET /gateways/{serial}': 'viewer',
  'DELETE /gateways/{serial}': 'admin',
  'GET /gateways/{serial}/logs': 'viewer',

  'POST /devices/provision': 'admin',
  'GET /devices/{device_id}': 'viewer',
  'PUT /devices/{device_id}': 'admin',
  'DELETE /devices/{device_id}': 'admin',
  'GET /ders/{der_id}': 'viewer',
  'PUT /ders/{der_id}': 'admin',
  'DELETE /ders/{der_id}': 'admin',
  'GET /ders/{der_id}/telemetry': 'viewer',
  'GET /ders/{der_id}/commands': 'viewer',
  'POST /ders/{der_id}/commands': 'operator',
  'POST /ders/{der_id}/release': 'operator',
  'POST /sites/{site_id}/release': 'operator',
  'POST /devices/{device_id}/ders': 'admin',
};
