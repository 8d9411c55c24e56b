import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { until } from '#test/until.ts';
import { createHouse } from '../house.ts';
import { newGatewayKey, readGatewayKey } from './gateway-key.ts';
import { startStreetGateway } from './street-gateway.ts';
import { streetHome } from './street-homes.ts';

const noon = Date.UTC(2026, 5, 21, 11);
const log = createLog({ level: 'silent', name: 'test' });

type Login = { username: string; iat: number };

/** A broker that accepts everybody and records connections and messages. */
async function openBroker() {
  const logins: Login[] = [];
  const said: { topic: string; body: Record<string, unknown> }[] = [];
  const { aedes, port, cut, close } = await startMqttBroker({
    authenticate(_, username, password, done) {
      const claims = Buffer.from(password!.toString().split('.')[1]!, 'base64url').toString();
      logins.push({ username: username!, ...(JSON.parse(claims) as { iat: number }) });
      done(null, true);
    },
  });
  aedes.on('publish', ({ topic, payload }, client) => {
    if (client) said.push({ topic, body: JSON.parse(payload.toString()) });
  });
  return { url: `mqtt://127.0.0.1:${port}`, logins, said, cut, close };
}

const reached = (count: () => number, least: number): Promise<number> => until(count, (value) => value >= least);

suite('a light-weight gateway', () => {
  test('reports its house, and reconnects with a new token', async (t) => {
    let now = noon;
    const clock = { now: () => now };
    const broker = await openBroker();
    t.after(broker.close);
    const key = readGatewayKey(newGatewayKey());
    const { model, devices } = streetHome(0);
    const house = createHouse({ ...model, clock });
    const gateway = startStreetGateway({ key, house, devices, mqttUrl: broker.url, version: '1', clock, log });
    t.after(gateway.close);

    await reached(() => broker.said.length, 4);
    const at = `gateways/${key.serial}`;
    assert.deepEqual(
      broker.said.map(({ topic }) => topic),
      [
        `${at}/state/json/v1`,
        `${at}/devices/SIMMETER01/ders/meter/telemetry/json/v1`,
        `${at}/devices/SIMINVERTER01/ders/pv/telemetry/json/v1`,
        `${at}/devices/SIMINVERTER01/ders/battery/telemetry/json/v1`,
      ],
    );
    const [state, , pv] = broker.said.map(({ body }) => body);
    assert.deepEqual([state!.online, state!.platform], [true, 'simulated']);
    assert.deepEqual([pv!.type, pv!.timestamp, pv!.make], ['pv', noon, 'Simulated']);
    assert.ok(Number(pv!.W) < 0, 'panels give power at noon');

    now += 7_200_000; // longer than a token is valid
    broker.cut();
    await reached(() => broker.logins.length, 2);
    assert.deepEqual(
      broker.logins.map(({ username, iat }) => [username, iat]),
      [
        [key.serial, noon / 1000],
        [key.serial, now / 1000],
      ],
    );
  });
});

test('a stored key gives the same gateway', () => {
  const pem = newGatewayKey();
  assert.equal(readGatewayKey(pem).serial, readGatewayKey(pem).serial);
  assert.match(readGatewayKey(pem).serial, /^ohm-[0-9a-f]{16}$/);
});
