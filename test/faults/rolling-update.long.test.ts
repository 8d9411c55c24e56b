import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { checkLedger, createLedger } from '#sim/fleet/ledger.ts';
import { freePort } from '../free-port.ts';
import { postgresMissing, startPostgres } from '../services/postgres.ts';
import { rabbitMissing, startRabbit } from '../services/rabbitmq.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';
import { type Platform, startPlatform } from './platform.ts';

const gateways = 20;
const readings = 500; // between two steps

test('a rolling update to a build with a new column loses no acknowledged reading', {
  skip: rabbitMissing() || postgresMissing(),
}, async () => {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:1' });
  resources.defer(() => rabbit.stop());
  const nodes = await Promise.all([0, 1].map(() => prepareNode()));

  async function prepareNode() {
    const { path: DATA_DIR, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-rolling-'));
    resources.defer(remove);
    const [cloudPort, mqttPort] = [await freePort(), await freePort()];
    const env = {
      DATA_DIR,
      CLOUD_PORT: String(cloudPort),
      MQTT_PORT: String(mqttPort),
      DATABASE_URL: postgres.url(),
      BUS_URL: rabbit.amqpUrls.join(),
      DRAIN_SECONDS: '1',
    };
    let platform: Platform | undefined;
    resources.defer(async () => platform?.kill());
    return {
      url: `http://127.0.0.1:${cloudPort}`,
      mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
      isLeaving: false,
      async start(build: object = {}): Promise<void> {
        platform = await startPlatform({ ...env, ...build });
        this.isLeaving = false;
      },
      async stop(): Promise<void> {
        this.isLeaving = true; // the balancer sees that it is not ready
        assert.equal(await platform?.stop(), 0);
        platform = undefined;
      },
    };
  }

  for (const node of nodes) await node.start();
  const [first] = nodes;
  assert.ok(first);
  const fleet = await enrolFleet(first.url, gateways);
  const ledger = createLedger();
  const balancer = (gateway: number): string => {
    const ready = nodes.filter(({ isLeaving }) => !isLeaving);
    return ready[gateway % ready.length]!.mqttUrl;
  };
  const stop = reportContinually(balancer, fleet, ledger);
  resources.defer(stop);
  const acknowledgeMore = async (): Promise<void> => {
    const before = ledger.acknowledged();
    await until(() => ledger.acknowledged() >= before + readings);
  };
  await acknowledgeMore();
  for (const node of nodes) {
    await node.stop();
    await acknowledgeMore(); // the other one continues, with the schema of either build
    await node.start({ NEXT_BUILD: 'yes' });
    await acknowledgeMore();
  }
  await stop();
  const client = createClient({ baseUrl: first.url, token: fleet.token });
  const { acknowledged, lost, twice, phantom } = await checkLedger(client, ledger);
  assert.ok(acknowledged >= 5 * readings);
  assert.deepEqual({ lost, twice, phantom }, { lost: 0, twice: 0, phantom: 0 });
});
