import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import type { Door } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import type { Context } from '../access/door.ts';
import { brokerRoutes } from './routes.ts';
import type { Admission, SharedBroker } from './transport.ts';

const log = createLog({ level: 'silent', name: 'test' });

test('a database that goes away between two looks is a clear deny', async () => {
  const app = createServer({ log, apiVersion: '1' });
  const away = {
    unknownFields: 'refuse',
    admit: () => async () => undefined,
    async serve() {
      throw new Problem('unavailable', 'The database cannot be reached just now; try again shortly.');
    },
  } as unknown as Door<Context>;
  brokerRoutes(app, {
    door: away,
    admission: {} as Admission,
    transport: { publish: () => true, shared: { admitted: () => assert.fail('let in') } as unknown as SharedBroker },
    log,
  });
  const [inJson, inForm] = await Promise.all([
    app.inject({ method: 'POST', url: '/internal/mqtt/auth', payload: { username: 'gw-1', clientid: 'gw-1-x' } }),
    app.inject({
      method: 'POST',
      url: '/internal/mqtt/auth',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'username=gw-1&client_id=gw-1-x',
    }),
  ]);
  assert.deepEqual([inJson.statusCode, inJson.json()], [200, { result: 'deny' }]);
  assert.deepEqual([inForm.statusCode, inForm.body], [200, 'deny']);
  await app.close();
});
