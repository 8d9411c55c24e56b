import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '#lib/metrics/registry.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import type { Transport } from '../broker/transport.ts';
import { addBrokerMetrics } from './gauges.ts';

/** A figure becomes so: connections come and go in their own time. */
async function shows(cloud: TestCloud, name: string, value: number): Promise<void> {
  const read = async (): Promise<string> => (await cloud.call('GET', '/metrics')).body;
  const figure = async () => new RegExp(`^${name} (\\d+)$`, 'm').exec(await read())?.[1];
  await until(figure, (shown) => shown === String(value));
}

test('gateways are counted while they are connected', async () => {
  const cloud = await openCloud();
  try {
    await cloud.start();
    await shows(cloud, 'gateways_connected', 0);
    const ada = await cloud.person();
    const org = await cloud.organization(ada);
    const connect = async () =>
      connectGateway(cloud.transport.urls.mqtt!, await cloud.claim(ada, org), cloud.clock.now());
    const [first, second] = [await connect(), await connect()];
    await shows(cloud, 'gateways_connected', 2);
    await first.endAsync(true);
    await shows(cloud, 'gateways_connected', 1);
    await second.endAsync();
    await shows(cloud, 'gateways_connected', 0);
  } finally {
    await cloud.close();
  }
});

test('what the platform hears of its gateways is the same when they are counted', async () => {
  const cloud = await openCloud();
  try {
    await cloud.start();
    const ada = await cloud.person();
    const gateway = await cloud.claim(ada, await cloud.organization(ada));
    const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
    const isOnline = async () => (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).body.online;
    await until(isOnline, (online) => online === true);
    await client.endAsync(true);
    await until(isOnline, (online) => online === false);
  } finally {
    await cloud.close();
  }
});

test('a broker that does not report connected gateways has no metric for them', () => {
  const registry = createRegistry();
  addBrokerMetrics({} as Transport, registry);
  assert.equal(registry.text(), '');
});

test('messages sent to RabbitMQ, dropped ones and dead letters are counted', () => {
  const registry = createRegistry();
  const figures = { poisoned: 1, published: 7, dropped: 2 };
  addBrokerMetrics({ shared: { figures: () => figures } } as Transport, registry);
  const shown = () => registry.text().match(/^[^#\n].*$/gm)!;
  assert.deepEqual(shown(), [
    'broker_published_total 7',
    'broker_publish_dropped_total 2',
    'broker_dead_letters_total 1',
  ]);
  figures.dropped++;
  assert.ok(shown().includes('broker_publish_dropped_total 3'));
});

test('streams are counted while somebody follows them', async () => {
  const cloud = await openCloud();
  try {
    const url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
    await cloud.start();
    const ada = await cloud.person();
    const site = await cloud.site(ada, await cloud.organization(ada));
    await shows(cloud, 'streams_open', 0);
    const authorization = `Bearer ${ada.token}`;
    const stream = await readEvents(`${url}/stream/sites/${site}`, { authorization });
    await shows(cloud, 'streams_open', 1);
    await stream.close();
    await shows(cloud, 'streams_open', 0);
  } finally {
    await cloud.close();
  }
});
