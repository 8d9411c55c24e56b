import type { Scope } from '#contract/access.ts';

/** Calls that an application may make with each scope, written by hand and reviewed as a whole; all others need a person. */
export const scopeOf: Record<string, Scope> = {
  'GET /organizations': 'read:sites',
  'GET /organizations/{org_id}': 'read:sites',
  'GET /sites': 'read:sites',
  'GET /sites/{site_id}': 'read:sites',
  'GET /sites/{site_id}/devices': 'read:sites',
  'GET /sites/{site_id}/contract': 'read:sites',
  'GET /gateways': 'read:sites',
  'GET /gateways/{serial}': 'read:sites',
  'GET /devices/{device_id}': 'read:sites',

  'GET /ders/{der_id}': 'read:telemetry',
  'GET /ders/{der_id}/telemetry': 'read:telemetry',
  'GET /ders/{der_id}/commands': 'read:telemetry',
  'GET /ders/{der_id}/orders': 'read:telemetry',
  'GET /sites/{site_id}/orders': 'read:telemetry',
  'GET /sites/{site_id}/telemetry': 'read:telemetry',
  'GET /sites/{site_id}/energy': 'read:telemetry',
  'GET /sites/{site_id}/energy/devices': 'read:telemetry',
  'GET /sites/{site_id}/bill': 'read:telemetry',
  'GET /sites/{site_id}/savings': 'read:telemetry',
  'GET /sites/{site_id}/carbon': 'read:telemetry',
  'POST /sites/{site_id}/what-if': 'read:telemetry',
  'GET /sites/{site_id}/plan/goals': 'read:telemetry',
  'GET /sites/{site_id}/plan': 'read:telemetry',
  'GET /sites/{site_id}/plan/history': 'read:telemetry',
  'POST /sites/{site_id}/plan/preview': 'read:telemetry',
  'GET /stream/sites/{site_id}': 'read:telemetry',
  'POST /stream/tickets': 'read:telemetry',

  'POST /ders/{der_id}/commands': 'control:ders',
  'POST /ders/{der_id}/orders': 'control:ders',
  'POST /ders/{der_id}/release': 'control:ders',
  'PUT /sites/{site_id}/plan/goals': 'control:ders',
  'POST /sites/{site_id}/release': 'control:ders',
};
