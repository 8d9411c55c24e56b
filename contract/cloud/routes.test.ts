import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloudRoutes } from './routes.ts';

/** Every operation that the published description of the cloud names. */
const published = `
POST /identity/register
POST /auth/challenge
POST /auth/verify
GET /organizations
POST /organizations
GET /sites
POST /sites
GET /sites/{site_id}
PUT /sites/{site_id}
DELETE /sites/{site_id}
GET /sites/{site_id}/devices
GET /stream/sites/{site_id}
POST /gateways/claim
GET /gateways
DELETE /gateways/{serial}
POST /devices/provision
GET /devices/{device_id}
PUT /devices/{device_id}
DELETE /devices/{device_id}
GET /ders/{der_id}
POST /devices/{device_id}/ders
GET /public/cells
GET /public/cells/{h3_index}/stats
GET /public/der-types
GET /public/der-types/{id}
GET /public/device-types
GET /oauth/authorize
POST /oauth/authorize/complete
POST /oauth/token
GET /oauth/userinfo
POST /internal/mqtt/auth
POST /internal/mqtt/acl
`
  .trim()
  .split('\n');

const names = cloudRoutes.map(({ method, path }) => `${method} ${path}`);

test('every published operation is a route', () => {
  const missing = published.filter((operation) => !names.includes(operation));
  assert.deepEqual(missing, []);
});

test('no operation is described twice', () => {
  assert.equal(new Set(names).size, names.length);
});

test('every POST that creates something honours Idempotency-Key', () => {
  const creating = cloudRoutes.filter(({ method, replies }) => method === 'POST' && 201 in replies);
  assert.ok(creating.length > 5);
  assert.deepEqual(
    creating.filter(({ creates }) => !creates).map(({ path }) => path),
    [],
  );
});

const partsOf = (schema: unknown): Record<string, unknown>[] =>
  typeof schema === 'object' && schema !== null
    ? [schema as Record<string, unknown>, ...Object.values(schema).flatMap(partsOf)]
    : [];

test('a pattern that asks for more than text says in words for what, because a refusal repeats it', () => {
  const asked = cloudRoutes.flatMap(({ body, query }) => [...partsOf(body), ...partsOf(query)]);
  const silent = asked.filter((part) => part.pattern && !part.maxLength && !part.description);
  assert.deepEqual(silent, []);
});
