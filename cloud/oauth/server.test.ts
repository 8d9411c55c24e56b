import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { openKeyRing } from '../identity/key-ring.ts';
import { createOAuthServer } from './server.ts';

test('a server that could not be created is created with the next request, and then kept', async () => {
  const { store, clock, close } = await openCloud();
  try {
    const keys = await openKeyRing(store, { clock, tokenLifeMs: 1000 });
    let url = '';
    const log = createLog({ level: 'silent', name: 'test' });
    const server = createOAuthServer({ store, clock, log, keys, baseUrl: () => url });
    await assert.rejects(server.get());
    url = 'http://cloud.test';
    const made = await server.get();
    assert.equal(await server.get(), made);
  } finally {
    await close();
  }
});
