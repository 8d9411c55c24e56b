import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import tls from 'node:tls';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import { enrolFleet } from '../faults/fleet.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import { freePort } from '../free-port.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { rabbitMissing, startRabbit } from '../services/rabbitmq.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { checkNginx, type Nginx, nginxMissing, startNginx } from './nginx.ts';

suite('the proxy', { skip: nginxMissing() }, () => {
  for (const { shape, upstreams } of [
    { shape: 'one-machine', upstreams: { 8080: ['127.0.0.1:8080'], 1883: ['127.0.0.1:1883'] } },
    {
      shape: 'cluster',
      upstreams: {
        8080: ['127.0.0.1:8080', '127.0.0.2:8080'],
        1883: ['127.0.0.1:1883', '127.0.0.2:1883', '127.0.0.3:1883'],
      },
    },
    {
      shape: 'nodes',
      upstreams: {
        8080: ['127.0.0.1:8080', '127.0.0.2:8080', '127.0.0.3:8080'],
        1883: ['127.0.0.1:1883', '127.0.0.2:1883', '127.0.0.3:1883'],
      },
    },
  ] as const) {
    test(`its files for ${shape} pass the check of nginx`, async (t) => {
      const folder = temporaryFolder(t);
      const copy = { 8080: [...upstreams[8080]], 1883: [...upstreams[1883]] };
      assert.equal(await checkNginx({ folder, shape, upstreams: copy }), '');
    });
  }

  test('two platform processes behind it act as one, also while one of them dies', {
    skip: postgresMissing() || rabbitMissing(),
    timeout: 120_000,
  }, async (t) => {
    const folder = temporaryFolder(t);
    await using opened = new AsyncDisposableStack();
    const database = await freshDatabase();
    opened.defer(() => database.drop());
    const inside = await freePort();
    const internalToken = 'internal-secret-of-the-proxy-test';
    const rabbit = await startRabbit({ nodes: 1, authUrl: `http://127.0.0.1:${inside}`, internalToken });
    opened.defer(() => rabbit.stop());
    const startOne = async (name: string): Promise<Platform> => {
      const platform = await startPlatform({
        DATA_DIR: join(folder, name),
        CLOUD_PORT: '0',
        DATABASE_URL: database.url,
        BROKER_URL: rabbit.amqpUrls.join(','),
        BROKER_MANAGEMENT_URL: rabbit.managementUrls.join(','),
        INTERNAL_TOKEN: internalToken,
        PUBLIC_URL: 'https://platform.test',
        TRUST_PROXY: '127.0.0.1',
        RATE_ORDINARY: '300', // so few that no rate limit recovers between two requests
        LOG_LEVEL: 'fatal',
      });
      opened.defer(() => platform.kill());
      return platform;
    };
    const [one, other] = [await startOne('one'), await startOne('other')];
    const mqtt = new URL(rabbit.mqttUrls[0]!).host;
    const upstreams = { 8080: [new URL(one.url).host, new URL(other.url).host], 1883: [mqtt, mqtt, mqtt] };
    const nginx = opened.use(await startNginx({ folder, shape: 'cluster', upstreams, inside }));
    tls.setDefaultCACertificates([...tls.getCACertificates(), nginx.certificate]);

    const fleet = await enrolFleet(nginx.httpsUrl, 1);
    const { signer, der } = fleet.gateways[0]!;
    const api = createClient({ baseUrl: nginx.httpsUrl, token: fleet.token });
    const { site_id } = await api.call(getDer, { params: { der_id: der } });
    const watch = () =>
      readEvents(`${nginx.httpsUrl}/stream/sites/${site_id}`, { authorization: `Bearer ${fleet.token}` });

    const viewers = [await watch(), await watch()]; // one at each: the proxy prefers the process with fewer connections

    await t.test('a gateway logs in over TLS, and viewers at both processes see its readings at once', async () => {
      const gateway = await connectGateway(nginx.mqttsUrl, signer, Date.now());
      await gateway.report('M1', 'grid', { timestamp: Date.now(), W: 321 });
      for (const viewer of viewers) {
        const [reading] = await viewer.readings(1);
        assert.equal(reading?.data.W, 321);
      }
      await gateway.endAsync();
    });

    await t.test('internal routes stay internal, in every spelling', () => isClosed(nginx, internalToken));

    await t.test('plain HTTP is redirected to HTTPS, except for certificate challenges', async () => {
      const proof = '.well-known/acme-challenge/token';
      await mkdir(join(folder, 'acme', dirname(proof)), { recursive: true });
      await writeFile(join(folder, 'acme', proof), 'proven');
      assert.equal(await (await fetch(`${nginx.httpUrl}/${proof}`)).text(), 'proven');
      const answer = await fetch(`${nginx.httpUrl}/public/cells?limit=1`, { redirect: 'manual' });
      assert.equal(answer.status, 301);
      assert.equal(answer.headers.get('location'), 'https://127.0.0.1/public/cells?limit=1');
    });

    await t.test('requests are answered and a viewer reconnects when one process is killed', async () => {
      await other.kill();
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => fetch(`${nginx.httpsUrl}/public/der-types`).then(({ status }) => status)),
      );
      assert.deepEqual(new Set(answers), new Set([200]));
      await Promise.race(viewers.map((viewer) => viewer.ended()));
      assert.equal(viewers.filter((viewer) => viewer.isEnded()).length, 1);
      const again = await watch();
      const [reading] = await again.readings(1);
      assert.equal(reading?.data.W, 321); // the latest value, from the database
      for (const viewer of [...viewers, again]) await viewer.close();
    });

    await t.test('an address has its own rate limit, and cannot pretend to be another', async () => {
      const spent = async (localAddress: string, forged: string): Promise<number> => {
        const { headers } = await get(`${nginx.httpsUrl}/public/der-types`, { localAddress, forged });
        return Number(/r=(\d+)/.exec(String(headers.ratelimit))![1]);
      };
      const first = await spent('127.0.0.7', '192.0.2.1');
      assert.ok(
        (await spent('127.0.0.7', '192.0.2.2')) < first,
        'another spelling of the same address has the same limit',
      );
      assert.equal(await spent('127.0.0.8', '192.0.2.1'), first);
    });

    await t.test('its log contains no secrets', async () => {
      for (const path of ['/app/invitations/TOPSECRET', '/invitations/TOPSECRET/accept'])
        await fetch(nginx.httpsUrl + path);
      const log = await until(
        () => readFile(join(folder, 'access.log'), 'utf8'),
        (text) => text.includes('/invitations/[redacted]/accept" '), // written after the answer
      );
      assert.match(log, /\/app\/invitations\/\[redacted\]" /);
      assert.ok(!log.includes('TOPSECRET'));
      assert.match(log, /"POST \/internal\/mqtt\/auth" 200/);
      assert.ok(!log.includes(internalToken));
    });
  });
});

/** Requests exactly this path; `fetch` would normalise it. */
const get = (
  url: string,
  { localAddress, forged }: { localAddress?: string; forged?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(url);
    const path = url.slice(url.indexOf('/', 8));
    const send = protocol === 'https:' ? secureRequest : request;
    send(
      { hostname, port, path, localAddress, headers: forged ? { 'x-forwarded-for': forged } : {}, agent: false },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode!, headers: answer.headers });
      },
    )
      .on('error', reject)
      .end();
  });

async function isClosed({ httpsUrl, insideUrl }: Nginx, token: string): Promise<void> {
  const spellings = [
    '/metrics',
    '/metrics/',
    '/health',
    '/ready',
    `/internal/mqtt/auth?token=${token}`,
    `//internal/mqtt/auth?token=${token}`,
    `/%69nternal/mqtt/auth?token=${token}`,
    `/internal%2Fmqtt%2Fauth?token=${token}`,
    `/public/../internal/mqtt/auth?token=${token}`,
    '/./metrics',
  ];
  for (const path of spellings) {
    const { status, headers } = await get(httpsUrl + path);
    assert.equal(status, 404, path);
    assert.equal(headers['x-request-id'], undefined, `${path} reached the platform`);
  }
  assert.equal((await get(`${insideUrl}/healthy`)).status, 204);
  assert.equal((await get(`${insideUrl}/metrics`)).status, 404);
  const asked = await fetch(`${insideUrl}/internal/mqtt/auth?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.deepEqual(await asked.json(), { result: 'deny' });
}
