import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { guardedRoutes } from './guarded-routes.ts';
import { openGateway } from './open-gateway.ts';

test('the routes that need the local token match the reviewed table', () => {
  const inContract = gatewayRoutes.filter(({ access }) => access === 'guarded').map((r) => `${r.method} ${r.path}`);
  assert.deepEqual(inContract.toSorted(), guardedRoutes.toSorted());
});

suite('a guarded gateway without the token', () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  before(async () => {
    gateway = await openGateway({ LOCAL_API: 'guarded', LOCAL_TOKEN: 'the token of this gateway' });
  });
  after(() => gateway.close());

  const lookInto = async () => ({
    devices: (await gateway.call('GET', '/api/devices')).body,
    broker: (await gateway.call('GET', '/api/system/mqtt')).body,
    signatures: (await gateway.call('GET', '/api/crypto/signatures')).body,
    files: Object.fromEntries(
      readdirSync(gateway.folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, readFileSync(join(gateway.folder, name), 'latin1')]),
    ),
  });

  const bodies: Record<string, unknown> = {
    'POST /api/crypto/sign': { message: 'somebody' },
    'POST /api/crypto': { wallet: 'abc' },
    'POST /api/system/mqtt': { mqtt_connection_str: 'mqtt://rogue.local:1883' },
    'POST /api/wifi': { ssid: 'Rogue', psk: 'a rogue password' },
  };

  for (const is of guardedRoutes) {
    test(`${is} is refused and changes nothing`, async () => {
      const [method, path] = is.split(' ') as [string, string];
      const place = path.replace('{sn}', 'INV-1').replace('{address}', '13050');
      const found = await lookInto();
      const given = method === 'POST' ? (bodies[is] ?? {}) : undefined;
      for (const headers of [{}, { authorization: 'Bearer another token of a gateway' }]) {
        const { status, body } = await gateway.call(method, place, given, headers);
        assert.deepEqual([status, body.error], [401, 'unauthenticated']);
      }
      assert.deepEqual(await lookInto(), found);
    });
  }
});
