import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { createClient } from '#contract/client.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { nginxMissing, startNginx } from '../deploy/nginx.ts';
import { freePort } from '../free-port.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { executeAt } from '../services/postgres-pair.ts';
import { rabbitMissing, startRabbit } from '../services/rabbitmq.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';
import { type Platform, startPlatform } from './platform.ts';

const enough = 200;

test('two nodes behind the balancer are updated one after the other, with a migration, and nothing acknowledged is lost', {
  skip: postgresMissing() || rabbitMissing() || nginxMissing(),
  timeout: 180_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  await using opened = new AsyncDisposableStack();
  const database = await freshDatabase();
  opened.defer(() => database.drop());
  const rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:9' });
  opened.defer(() => rabbit.stop());

  const slots = await Promise.all(
    ['one', 'other'].map(async (name) => ({
      DATA_DIR: join(folder, name),
      CLOUD_PORT: String(await freePort()),
      MQTT_PORT: String(await freePort()),
      DATABASE_URL: database.url,
      BUS_URL: rabbit.amqpUrls.join(','),
      INTERNAL_TOKEN: 'internal-secret-of-the-update',
      PUBLIC_URL: 'https://platform.test',
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '7', // longer than the balancer leaves out a node that refused, fail_timeout, as in deploy/
      LOG_LEVEL: 'fatal',
    })),
  );
  const running = new Map<object, Platform>();
  opened.defer(async () => void (await Promise.all([...running.values()].map((platform) => platform.kill()))));
  const start = async (slot: (typeof slots)[number], build: 'this' | 'next'): Promise<void> => {
    running.set(slot, await startPlatform({ ...slot, ...(build === 'next' && { NEXT_BUILD: 'yes' }) }));
  };
  for (const slot of slots) await start(slot, 'this');

  const [one, other] = slots.map(({ CLOUD_PORT, MQTT_PORT }) => [`127.0.0.1:${CLOUD_PORT}`, `127.0.0.1:${MQTT_PORT}`]);
  const upstreams = { 8080: [one![0]!, other![0]!], 1883: [one![1]!, other![1]!] };
  const nginx = opened.use(await startNginx({ folder, shape: 'nodes', upstreams, inside: await freePort() }));
  tls.setDefaultCACertificates([...tls.getCACertificates(), nginx.certificate]);
  const fleet = await enrolFleet(nginx.httpsUrl, 6);
  const ledger = createLedger();
  const stop = reportContinually(() => nginx.mqttsUrl, fleet, ledger);
  opened.defer(stop);
  const requests = requestContinually(`${nginx.httpsUrl}/public/der-types`);
  opened.defer(requests.stop);
  const more = async (): Promise<void> => {
    const before = ledger.acknowledged();
    await until(() => ledger.acknowledged() > before + enough);
  };

  await more();
  for (const slot of slots) {
    assert.equal(await running.get(slot)!.stop(), 0);
    await more(); // by the other one, which in the second round is the new build
    await start(slot, 'next');
    await more(); // in the first round the old build works on the new schema
  }
  await requests.stop();
  await stop();

  const verdict = await checkLedger(createClient({ baseUrl: nginx.httpsUrl, token: fleet.token }), ledger);
  console.log('updated two nodes', verdict, requests.statuses);
  assert.ok(isClean(verdict));
  assert.deepEqual([...requests.statuses.keys()], [200]);
  assert.equal(await executeAt(database.url, `select from migrations where name = '999-remarks'`), 1);
});

function requestContinually(url: string) {
  const statuses = new Map<number | string, number>();
  const state = { isRunning: true };
  const requesting = (async () => {
    while (state.isRunning) {
      const status = await fetch(url).then((answer) => answer.status, String);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  return {
    statuses,
    async stop(): Promise<void> {
      state.isRunning = false;
      await requesting;
    },
  };
}
