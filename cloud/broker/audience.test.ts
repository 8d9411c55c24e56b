import assert from 'node:assert/strict';
import { hostname, networkInterfaces } from 'node:os';
import { describe, test } from 'node:test';
import { readConfig } from '#lib/config.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { type GatewaySigner, p256 } from '#test/cloud/people.ts';
import { selfSigned } from '#test/self-signed.ts';
import { CloudConfig } from '../config.ts';
import { createAudience, type TokenAudience } from './audience.ts';
import { openAdmission, passwordOf } from './testing/trial.ts';

const deploymentId = 'urn:ohmstead:00000000-0000-4000-8000-000000000000';

describe('how gateways may name the broker', () => {
  const listeners = () => ['mqtt://localhost:1883', 'ws://localhost:8083'];
  const ours = (env: Record<string, string>, token: TokenAudience, own: () => string[] = listeners): boolean =>
    createAudience(readConfig(CloudConfig, env), { deploymentId, listeners: own }).isOurs(token);
  const isOurs = (aud: string, env: Record<string, string> = {}, own = listeners): boolean => ours(env, { aud }, own);
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all!.filter(({ family }) => family === 'IPv4'));

  test('by default the names and addresses of this machine, with the scheme and port of a listener', () => {
    const hosts = ['localhost', '127.0.0.1', '[::1]', hostname(), hostname().toUpperCase(), `${hostname()}.local`];
    for (const host of [...hosts, ...addresses.map(({ address }) => address)]) {
      assert.ok(isOurs(`mqtt://${host}:1883`), host);
      assert.ok(isOurs(`ws://${host}:8083`), host);
    }
    assert.ok(isOurs('mqtt://localhost'), 'the default port');
    for (const other of [
      'mqtt://localhost:1884',
      'mqtts://localhost:1883',
      'wss://localhost:8083',
      'mqtt://broker.example.org:1883',
      'mqtt://localhost.example.org:1883',
      'localhost:1883',
      'urn:ohmstead:11111111-0000-4000-8000-000000000000',
      '',
    ]) {
      assert.equal(isOurs(other), false, other);
    }
  });

  test('by default the host of PUBLIC_URL and the names in the certificate, with a default port or that of a listener', () => {
    const { cert, key } = selfSigned();
    for (const [env, host] of [
      [{ PUBLIC_URL: 'https://Energy.example.org/app' }, 'energy.example.org'],
      [{ MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key }, 'localhost'],
    ] as const) {
      for (const url of [`mqtts://${host}:8883`, `mqtts://${host}`, `wss://${host}`, `mqtt://${host}:1883`]) {
        assert.ok(isOurs(url, env), url);
      }
      assert.equal(isOurs(`mqtts://${host}:8884`, env), false);
    }
  });

  test('with RabbitMQ its hosts, and the default ports', () => {
    const env = {
      BROKER_URL: 'amqp://a:b@mq1,amqp://a:b@mq2',
      BROKER_MANAGEMENT_URL: 'http://a:b@mq1:15672',
      INTERNAL_TOKEN: '0123456789abcdef',
    };
    for (const url of ['mqtt://mq1:1883', 'mqtts://mq2:8883', 'mqtt://localhost:1883']) {
      assert.ok(
        isOurs(url, env, () => []),
        url,
      );
    }
    assert.equal(
      isOurs('mqtt://mq3:1883', env, () => []),
      false,
    );
  });

  test('with MQTT_ORIGINS these and no others', () => {
    const env = { MQTT_ORIGINS: 'mqtts://energy.example.org,mqtt://10.0.0.1:1884' };
    for (const url of ['mqtts://energy.example.org:8883', 'mqtt://10.0.0.1:1884']) assert.ok(isOurs(url, env), url);
    for (const url of ['mqtt://localhost:1883', 'mqtt://10.0.0.1:1883']) assert.equal(isOurs(url, env), false, url);
    assert.ok(isOurs(deploymentId, env));
  });

  test('a token names this platform alone, wherever it names one', () => {
    const own = 'mqtt://localhost:1883';
    const other = 'mqtt://evil.example.org:1883';
    for (const token of [{ aud: deploymentId }, { aud: deploymentId, origin: own }, { aud: [deploymentId, own] }]) {
      assert.ok(ours({}, token), JSON.stringify(token));
    }
    for (const token of [
      { aud: deploymentId, origin: other },
      { aud: own, origin: other },
      { aud: [own, other] },
      { aud: [] },
      { aud: null },
      { aud: deploymentId, origin: 7 },
      { origin: own },
    ]) {
      assert.equal(ours({}, token), false, JSON.stringify(token));
    }
  });
});

onEachEngine('the audience of gateway tokens', async (cloud) => {
  const listeners = () => ['mqtt://localhost:1883'];
  const { admission, deploymentId } = await openAdmission({ ...cloud, listeners });
  const owner = await cloud.person();
  const orgId = await cloud.organization(owner);

  async function isAdmitted(gateway: GatewaySigner, claims: object, by = admission): Promise<boolean> {
    const { serial } = gateway;
    const password = await passwordOf(gateway, cloud.clock.now(), { claims });
    return (await by.login({ clientId: serial, username: serial, address: '', password })) !== undefined;
  }

  test('a token for this platform is accepted, one for another is not', async () => {
    const gateway = await cloud.claim(owner, orgId);
    for (const aud of [deploymentId, 'mqtt://localhost:1883']) assert.ok(await isAdmitted(gateway, { aud }), aud);
    for (const aud of ['urn:ohmstead:else', 'mqtt://evil.example.org:1883', '', 7, null]) {
      assert.equal(await isAdmitted(gateway, { aud }), false, String(aud));
    }
    const echoed = { aud: deploymentId, origin: 'mqtt://evil.example.org:1883' };
    assert.equal(await isAdmitted(gateway, echoed), false, 'a foreign broker sent our id to the gateway');
  });

  test('a gateway of ours may omit the audience until it names one, also when it is claimed again', async () => {
    const gateway = await cloud.claim(owner, orgId);
    assert.ok(await isAdmitted(gateway, {}));
    assert.equal(await isAdmitted(gateway, { aud: 'mqtt://evil.example.org:1883' }), false);
    assert.ok(await isAdmitted(gateway, {}), 'a refused token changes nothing');
    assert.ok(await isAdmitted(gateway, { aud: deploymentId }));
    assert.equal(await isAdmitted(gateway, {}), false);
    await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: owner });
    cloud.clock.advance(2000);
    await cloud.claim(owner, orgId, gateway);
    assert.equal(await isAdmitted(gateway, {}), false);
    assert.ok(await isAdmitted(gateway, { aud: deploymentId }));
  });

  test('gateways of other makers may always omit it', async () => {
    const gateway = await cloud.claim(owner, orgId, p256(`acme-${p256().serial.slice(4)}`));
    for (const claims of [{}, { aud: deploymentId }, {}]) assert.ok(await isAdmitted(gateway, claims));
    assert.equal(await isAdmitted(gateway, { aud: 'mqtt://evil.example.org:1883' }), false);
  });

  test('without GATEWAY_TOKENS_WITHOUT_AUDIENCE those of other makers name it too', async () => {
    const env = { GATEWAY_TOKENS_WITHOUT_AUDIENCE: 'false' };
    const { admission: strict } = await openAdmission({ ...cloud, listeners, env });
    const other = await cloud.claim(owner, orgId, p256(`acme-${p256().serial.slice(4)}`));
    assert.equal(await isAdmitted(other, {}, strict), false);
    assert.ok(await isAdmitted(other, { aud: deploymentId }, strict));
    const own = await cloud.claim(owner, orgId);
    assert.ok(await isAdmitted(own, {}, strict), 'one of 0.1.0 keeps working');
    assert.ok(await isAdmitted(own, { aud: deploymentId }, strict));
    assert.equal(await isAdmitted(own, {}, strict), false);
  });
});
