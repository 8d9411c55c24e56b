import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { suite, test } from 'node:test';
import { announcementOf } from '#contract/gateway/announcement.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { AnnouncedService } from '#lib/mdns.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { createNearbyGateways } from './nearby-gateways.ts';
import { createOwnNetwork } from './own-network.ts';

const log = createLog({ level: 'silent', name: 'test' });

suite('the network of the platform', () => {
  const { isNeighbour, isSentNearby } = createOwnNetwork(() => ({
    lo: [interfaceAt('127.0.0.1/8', true)],
    lan: [interfaceAt('192.168.7.2/24')],
    internet: [interfaceAt('203.0.113.9/24')],
  }));

  for (const { address, is } of [
    { address: '192.168.7.20', is: true },
    { address: '192.168.8.20', is: false },
    { address: '10.0.0.1', is: false },
    { address: '127.0.0.1', is: false },
    { address: '169.254.169.254', is: false },
    { address: '203.0.113.10', is: false },
  ]) {
    test(`${address} is ${is ? '' : 'not '}called when somebody announces it`, () =>
      assert.equal(isNeighbour(address), is));
  }

  for (const { says, ip, headers = {}, trustsProxy = false, is } of [
    { says: 'the machine itself', ip: '127.0.0.1', is: true },
    { says: 'its network', ip: '::ffff:192.168.7.20', is: true },
    { says: 'another private network', ip: '10.1.2.3', is: false },
    { says: 'the internet', ip: '203.0.113.10', is: false },
    {
      says: 'an unknown proxy on the machine',
      ip: '127.0.0.1',
      headers: { 'x-forwarded-for': '127.0.0.1' },
      is: false,
    },
    {
      says: 'a trusted proxy, from the network',
      ip: '192.168.7.20',
      headers: { via: '1.1 p' },
      trustsProxy: true,
      is: true,
    },
    {
      says: 'a trusted proxy, from the internet',
      ip: '8.8.8.8',
      headers: { via: '1.1 p' },
      trustsProxy: true,
      is: false,
    },
  ]) {
    test(`a request from ${says} is ${is ? 'nearby' : 'away'}`, () =>
      assert.equal(isSentNearby(ip, headers, trustsProxy), is));
  }
});

function interfaceAt(cidr: string, internal = false) {
  return { cidr, internal, address: cidr.split('/')[0]!, netmask: '', mac: '', family: 'IPv4' as const };
}

const ownAddress = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ address, internal }) => !internal && isIPv4(address))?.address;

suite('searching', { skip: !ownAddress && 'this machine has no network' }, () => {
  const openNetwork = { isNeighbour: (address: string) => address === ownAddress, isSentNearby: () => true };

  /** An HTTP service that counts its requests. */
  async function serve(t: { after(end: () => unknown): void }, answer: Parameters<typeof createServer>[1]) {
    let asked = 0;
    const server: Server = createServer((request, reply) => {
      asked++;
      answer!(request, reply);
    }).listen(0, '0.0.0.0');
    await once(server, 'listening');
    t.after(() => server.closeAllConnections());
    t.after(() => server.close());
    return { port: (server.address() as AddressInfo).port, asked: () => asked };
  }

  const announced = (serial: string, port: number, address = ownAddress!): AnnouncedService => ({
    name: `zap-${serial}`,
    host: 'zap.local',
    port,
    addresses: [address],
    txt: announcementOf(serial),
  });

  const find = (services: AnnouncedService[]) =>
    createNearbyGateways({
      search: async () => services,
      ownNetwork: openNetwork,
      clock: createFakeClock(0),
      log,
    }).find();

  test('finds a gateway that answers, and asks once for all callers', async (t) => {
    const gateway = await openGateway({ GATEWAY_HOST: '0.0.0.0' });
    t.after(() => gateway.close());
    const { serialNumber } = (await gateway.call('GET', '/api/crypto')).body;
    let searches = 0;
    const nearby = createNearbyGateways({
      search: async () => {
        searches++;
        return [announced(serialNumber, Number(new URL(gateway.url).port))];
      },
      ownNetwork: openNetwork,
      clock: createFakeClock(systemClock.now()),
      log,
    });
    const [found] = await Promise.all([nearby.find(), nearby.find(), nearby.find()]);
    assert.deepEqual(
      found.map(({ serial, isClaimed, isConnected }) => ({ serial, isClaimed, isConnected })),
      [{ serial: serialNumber, isClaimed: false, isConnected: false }],
    );
    assert.equal(searches, 1);
  });

  test('a gateway that is not the announced one is left out', async (t) => {
    const gateway = await openGateway({ GATEWAY_HOST: '0.0.0.0' });
    t.after(() => gateway.close());
    assert.deepEqual(await find([announced('ohm-somebody-else', Number(new URL(gateway.url).port))]), []);
  });

  test('an announced address outside of the network is never called', async (t) => {
    const { port, asked } = await serve(t, (_, reply) => reply.end('{}'));
    assert.deepEqual(await find([announced('ohm-1', port, '127.0.0.1')]), []);
    assert.equal(asked(), 0);
  });

  test('redirects are not followed, and endless answers are cut off', async (t) => {
    const target = await serve(t, (_, reply) => reply.end('{}'));
    const redirecting = await serve(t, (_, reply) =>
      reply.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    const endless = await serve(t, (_, reply) => {
      const line = 'x'.repeat(100_000);
      const more = (): void => void (reply.destroyed || reply.write(line, () => setImmediate(more)));
      more();
    });
    assert.deepEqual(await find([announced('ohm-1', redirecting.port), announced('ohm-2', endless.port)]), []);
    assert.equal(target.asked(), 0);
  });
});

suite('gateways nearby', async () => {
  test('are shown only where the operator says so', async (t) => {
    const cloud = await openCloud();
    t.after(() => cloud.close());
    const ada = await cloud.person();
    const { body } = await cloud.call('GET', '/nearby/gateways', { as: ada });
    assert.deepEqual(body, { search: 'off', gateways: [] });
  });

  test('are signed for and claimed by people at home, and hidden from all others', async (t) => {
    const gateway = await openGateway();
    t.after(() => gateway.close());
    const cloud = await openCloud({ env: { NEARBY_GATEWAYS: 'true' }, ownGateways: () => [gateway.url] });
    t.after(() => cloud.close());
    cloud.clock.advance(systemClock.now() - cloud.clock.now());
    const [ada, eve] = [await cloud.person(), await cloud.person()];
    const list = async (as: typeof ada, headers = {}) =>
      (await cloud.call('GET', '/nearby/gateways', { as, headers })).body;
    const serial = (await gateway.call('GET', '/api/crypto')).body.serialNumber;
    const sign = (as: typeof ada, headers = {}) =>
      cloud.call('POST', '/nearby/gateways/sign', { as, headers, body: { gateway_serial: serial } });
    const stateFor = async (as: typeof ada) =>
      (await list(as)).gateways.find((one: { gateway_serial: string }) => one.gateway_serial === serial)?.state;

    assert.equal(await stateFor(ada), 'free');
    const tunnel = { 'x-forwarded-for': '8.8.8.8' };
    assert.deepEqual(await list(eve, tunnel), { search: 'away', gateways: [] });
    assert.equal((await sign(eve, tunnel)).body.error, 'conflict');

    const { status, body: signed } = await sign(ada);
    assert.equal(status, 200);
    const org_id = await cloud.organization(ada);
    const claimed = await cloud.call('POST', '/gateways/claim', { as: ada, body: { org_id, ...signed } });
    assert.equal(claimed.status, 201);
    assert.equal(await stateFor(ada), 'yours');
    assert.equal(await stateFor(eve), undefined);
    assert.equal((await sign(eve)).body.error, 'conflict');
  });
});
