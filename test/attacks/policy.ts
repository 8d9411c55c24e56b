import type { Role } from '#contract/access.ts';

/**
 * Who may do what, written by hand and reviewed as a whole: the least role a member needs on the object.
 * `anyone` needs no token, `identity` any token, `holder` a token of somebody who may hold organizations.
 */
export const leastRole: Record<string, Role | 'anyone' | 'identity' | 'holder'> = {
  'POST /identity/register': 'anyone',
  'POST /auth/challenge': 'anyone',
  'POST /auth/verify': 'anyone',
  'GET /.well-known/jwks.json': 'anyone',
  'GET /public/cells': 'anyone',
  'GET /public/der-types': 'anyone',
  'GET /public/der-types/{id}': 'anyone',
  'GET /public/device-types': 'anyone',
  'GET /public/telemetry-fields': 'anyone',
  'GET /health': 'anyone',
  'GET /ready': 'anyone',
  'GET /metrics': 'anyone',

  'GET /identity/me': 'identity',
  'POST /auth/revoke': 'identity',
  'GET /organizations': 'identity',
  'POST /organizations': 'holder',

  'GET /organizations/{org_id}': 'viewer',
  'PUT /organizations/{org_id}': 'admin',
  'DELETE /organizations/{org_id}': 'owner',
  'GET /organizations/{org_id}/members': 'viewer',
  'POST /organizations/{org_id}/members': 'admin',
  'PUT /organizations/{org_id}/members/{identity_id}': 'admin',
  'DELETE /organizations/{org_id}/members/{identity_id}': 'admin',
  'GET /organizations/{org_id}/audit': 'admin',

  'GET /sites': 'viewer',
  'POST /sites': 'admin',
  'GET /sites/{site_id}': 'viewer',
  'PUT /sites/{site_id}': 'admin',
  'DELETE /sites/{site_id}': 'admin',
  'GET /sites/{site_id}/devices': 'viewer',

  'POST /gateways/claim': 'admin',
  'GET /gateways': 'viewer',
  'GET /gateways/{serial}': 'viewer',
  'DELETE /gateways/{serial}': 'admin',

  'POST /devices/provision': 'admin',
  'GET /devices/{device_id}': 'viewer',
  'PUT /devices/{device_id}': 'admin',
  'DELETE /devices/{device_id}': 'admin',
  'GET /ders/{der_id}': 'viewer',
  'POST /devices/{device_id}/ders': 'admin',
};
