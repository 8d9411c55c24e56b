import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeAuthorization, delegatedRoutes, getAuthorizationRequest } from '../cloud/oauth.ts';
import { cloudRoutes } from '../cloud/routes.ts';
import type { Route } from '../route.ts';
import * as client from './index.ts';

// Routes for OAuth libraries, the authorization page and brokers.
const ofOthers: readonly Route[] = [
  ...delegatedRoutes,
  getAuthorizationRequest,
  completeAuthorization,
  ...cloudRoutes.filter(({ path }) => path.startsWith('/internal/')),
];

test('the client has every operation of the cloud that a program may need', () => {
  const exported = new Set<unknown>(Object.values(client));
  const missing = cloudRoutes.filter((route) => !exported.has(route) && !ofOthers.includes(route));
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});
