import assert from 'node:assert/strict';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { createLedger, type Ledger } from '#sim/fleet/ledger.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { postgresMissing, startPostgres } from '../services/postgres.ts';
import { rabbitMissing, startRabbit } from '../services/rabbitmq.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { enrolFleet, type Fleet, reportContinually, storedOf } from './fleet.ts';
import { type Platform, startPlatform } from './platform.ts';

const internalToken = 'internal secret of the cluster test'.replaceAll(' ', '-');
const restMs = 100; // so that restarted processes get a processor

/** Proxy in front of several platforms: a connection goes to the first that accepts it. */
async function startBalancer(ports: () => number[]): Promise<{ url: string; close(): void }> {
  const server = net.createServer((from) => {
    from.on('error', () => {});
    const tryNext = ([port, ...others]: number[]): void => {
      if (port === undefined) return void from.destroy();
      const to = net.connect(port, '127.0.0.1');
      to.once('error', () => tryNext(others));
      to.once('connect', () => from.pipe(to).pipe(from));
      from.once('close', () => to.destroy());
    };
    tryNext(ports());
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function watchSite(baseUrl: string, { token, gateways }: Fleet) {
  const { site_id } = await createClient({ baseUrl, token }).call(getDer, { params: { der_id: gateways[0]!.der } });
  return readEvents(`${baseUrl}/stream/sites/${site_id}`, { authorization: `Bearer ${token}` });
}

/** The two share the work: a viewer at either sees the readings that the other one stored. */
async function seesTheWorkOfBoth(mqttUrl: string, platform: Platform, fleet: Fleet, ledger: Ledger): Promise<void> {
  const viewer = await watchSite(platform.url, fleet);
  const { signer, der } = fleet.gateways[0]!;
  const gateway = await connectGateway(mqttUrl, signer, Date.now());
  const sent = Array.from({ length: 200 }, (_, index) => ({ der, at: Date.now() - 3_600_000 + index }));
  for (const sample of sent) {
    ledger.intend(sample);
    await gateway.report('M1', 'grid', { timestamp: sample.at, W: 1 });
    ledger.acknowledge(sample);
  }
  await gateway.endAsync();
  const seen = (await viewer.readings(sent.length)).map(({ data }) => Number(data.timestamp));
  await viewer.close();
  assert.deepEqual(new Set(seen), new Set(sent.map(({ at }) => at)));
}

test('two platforms on RabbitMQ and PostgreSQL lose nothing when one of each is killed or restarted', {
  skip: postgresMissing() || rabbitMissing(),
}, async (t) => {
  const folder = temporaryFolder(t);
  const postgres = await startPostgres({ durable: true });
  const closing: (() => Promise<void>)[] = [];
  const platforms: Platform[] = [];
  const balancer = await startBalancer(() => platforms.map(({ url }) => Number(new URL(url).port)));
  const rabbit = await startRabbit({ nodes: 3, authUrl: balancer.url, internalToken });
  const env = (name: string) => ({
    DATA_DIR: join(folder, name),
    CLOUD_PORT: '0',
    DATABASE_URL: postgres.url(),
    BROKER_URL: rabbit.amqpUrls.join(','),
    BROKER_MANAGEMENT_URL: rabbit.managementUrls.join(','),
    INTERNAL_TOKEN: internalToken,
    PUBLIC_URL: 'http://platform.test',
    LOG_LEVEL: 'fatal',
  });
  try {
    platforms.push(await startPlatform(env('a')), await startPlatform(env('b')));
    const fleet = await enrolFleet(platforms[0]!.url, 6);
    const ledger = createLedger();
    await seesTheWorkOfBoth(rabbit.mqttUrls[0]!, platforms[1]!, fleet, ledger);
    const dead = new Set<number>();
    const living = () => rabbit.mqttUrls.filter((_, node) => !dead.has(node));
    const stop = reportContinually((gateway) => living()[gateway % living().length]!, fleet, ledger, restMs);
    closing.push(stop);
    const moreAcknowledged = async (count: number): Promise<void> => {
      const goal = ledger.acknowledged() + count;
      for (let tries = 0; ledger.acknowledged() < goal; tries++) {
        assert.ok(tries < 3000, `no further reading is acknowledged after ${ledger.acknowledged()}`);
        await sleep(20);
      }
    };

    await moreAcknowledged(500);
    await platforms.pop()!.kill();
    await moreAcknowledged(500);
    platforms.push(await startPlatform(env('b')));
    await postgres.restart();
    await moreAcknowledged(500);
    const leader = await rabbit.leaderOf('ohmstead.ingest');
    dead.add(leader);
    await rabbit.kill(leader);
    await moreAcknowledged(500);
    await platforms.shift()!.kill();
    await moreAcknowledged(500);
    await stop();

    // A reading that RabbitMQ acknowledged is safe in its queue; it is stored when the queue is empty.
    let verdict = ledger.check(await storedOf(platforms[0]!.url, fleet));
    for (let tries = 0; verdict.lost > 0 && tries < 100; tries++) {
      await sleep(200);
      verdict = ledger.check(await storedOf(platforms[0]!.url, fleet));
    }
    console.log('platform, PostgreSQL, queue leader, platform', verdict);
    assert.deepEqual(
      { lost: verdict.lost, twice: verdict.twice, phantom: verdict.phantom },
      { lost: 0, twice: 0, phantom: 0 },
    );
  } finally {
    for (const close of closing) await close();
    for (const platform of platforms) await platform.kill();
    await rabbit.stop();
    balancer.close();
    await postgres.stop();
  }
});
