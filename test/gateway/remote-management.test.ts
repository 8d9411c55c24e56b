import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { expectStatus, openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { until } from '../until.ts';
import { openGateway } from './open-gateway.ts';

/** A platform, a gateway that it has claimed, and an inverter that the gateway does not know yet. */
suite('a gateway managed by its platform', () => {
  let cloud: TestCloud;
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let inverter: Awaited<ReturnType<typeof startModbusTcp>>;
  let owner: Person;
  let org: string;

  const manage = (method: 'GET' | 'POST', path: string, body?: object, as = owner) =>
    cloud.call(method, `/gateways/${gateway.serial}/manage/${path}`, { as, ...(body && { body }) });

  before(async () => {
    cloud = await openCloud();
    Object.assign(cloud.clock, systemClock); // the clock of the gateway
    await cloud.start();
    const bank = createDevice(sungrowHybrid('SIMREMOTE01'), { house: fixedHouse(), clock: systemClock });
    inverter = await startModbusTcp([bank], { port: 0 });
    gateway = await openGateway({
      UPLINK_URL: cloud.transport.urls.mqtt!,
      GATEWAY_SCAN: `127.0.0.1:${inverter.port}`,
      HARVEST_MS: '200',
    });
    owner = await cloud.person();
    org = await cloud.organization(owner);
    const { body: key } = await gateway.call('GET', '/api/crypto');
    const { body: signed } = await gateway.call('POST', '/api/crypto/sign', { message: owner.id });
    const body = {
      org_id: org,
      gateway_serial: gateway.serial,
      public_key: `04${key.publicKey}`,
      message: signed.message,
      signature: signed.sign,
    };
    await expectStatus(201, cloud.call('POST', '/gateways/claim', { as: owner, body }));
    await until(async () => (await manage('GET', 'status')).status === 200, Boolean, 8000);
  });
  after(async () => {
    await gateway.close();
    await inverter.close();
    await cloud.close();
  });

  test('searches, adds what it found once, sends it, and shows its values', async () => {
    await expectStatus(202, manage('POST', 'scan'));
    const scan = await until(
      async () => (await manage('GET', 'scan')).body,
      ({ state }) => state === 'done',
    );
    assert.deepEqual(
      scan.found.map(({ connection, serial, sn }: Record<string, unknown>) => [connection, serial, sn]),
      [
        [
          { type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port: inverter.port, unit_id: 1 },
          'SIMREMOTE01',
          undefined,
        ],
      ],
    );
    for (const added of [true, false]) {
      const answer = await expectStatus(200, manage('POST', 'devices', scan.found[0].connection));
      assert.deepEqual([answer.added, answer.device.sn, answer.device.connected], [added, 'SIMREMOTE01', true]);
    }
    assert.equal((await manage('GET', 'status')).body.sending, false);
    const changed = await expectStatus(
      200,
      manage('POST', 'devices/SIMREMOTE01', { ders: [{ type: 'pv', enabled: true }] }),
    );
    assert.equal(changed.ders.find(({ type }: { type: string }) => type === 'pv').enabled, true);
    const { devices } = await expectStatus(200, manage('GET', 'devices'));
    assert.ok(Number.isFinite(devices[0].ders[0].latest.W));
    const status = await expectStatus(200, manage('GET', 'status'));
    assert.partialDeepStrictEqual(status, { connected: true, sending: true, devices: 1, devices_connected: 1 });

    const { body: audit } = await cloud.call('GET', `/organizations/${org}/audit`, { as: owner });
    const actions = audit
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.endsWith('_requested'));
    assert.deepEqual(actions.toSorted(), [
      'gateway.add_device_requested',
      'gateway.add_device_requested',
      'gateway.change_device_requested',
      'gateway.scan_requested',
    ]);
    const { body: local } = await gateway.call('GET', '/api/system/management');
    assert.deepEqual(
      local.requests.map(({ operation, by }: Record<string, string>) => [operation, by]),
      ['change_device', 'add_device', 'add_device', 'scan'].map((operation) => [operation, owner.id]),
    );
  });

  test('passes on the refusals of the gateway in its own words', async () => {
    const refused = await manage('POST', 'devices', {
      type: 'modbus_tcp',
      profile: 'sungrow',
      ip: '127.0.0.1',
      port: 1,
    });
    assert.deepEqual([refused.status, refused.body.error], [503, 'device_unreachable']);
    assert.match(refused.body.message, /refuses the connection/);
    const unknown = await manage('POST', 'devices', { type: 'modbus_tcp', profile: 'none', ip: '127.0.0.1' });
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, 'body.profile']);
    const outside = await manage('POST', 'devices', { type: 'modbus_tcp', profile: 'sungrow', ip: '8.8.8.8' });
    assert.deepEqual([outside.status, outside.body.error], [400, 'invalid_request']);
    const missing = await manage('POST', 'devices/NONE', { ders: [] });
    assert.deepEqual([missing.status, missing.body.message], [404, 'Unknown device NONE.']);
  });
});
