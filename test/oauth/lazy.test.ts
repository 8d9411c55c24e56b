import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

test('a platform without OAuth use does not load its OAuth server', async (t) => {
  const loaded = new Set<string>();
  const hooks = registerHooks({
    resolve(name, context, next) {
      loaded.add(name);
      return next(name, context);
    },
  });
  t.after(() => hooks.deregister());
  const { openOAuth } = await import('./open-oauth.ts');
  const cloud = await openOAuth();
  t.after(() => cloud.close());
  const client = await cloud.register();
  await cloud.call('GET', '/identity/consents', { as: cloud.owner });
  await cloud.get('/sites', 'x'.repeat(43));
  assert.ok(loaded.has('fastify'));
  assert.equal(loaded.has('oidc-provider'), false);
  await cloud.tokens(client);
  assert.equal(loaded.has('oidc-provider'), true);
});
