import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { type Rabbit, rabbitMissing, startRabbit } from '#test/services/rabbitmq.ts';
import { type Callout, startCallout } from '#test/services/rabbitmq-callout.ts';
import { connectGateway } from '#test/services/rabbitmq-clients.ts';
import { until } from '#test/until.ts';
import { createRabbitTransport } from '../rabbitmq.ts';

const log = createLog({ level: 'silent', name: 'test' });

suite('a lone RabbitMQ', { skip: rabbitMissing() }, () => {
  let callout: Callout;
  let rabbit: Rabbit;

  before(async () => {
    callout = await startCallout();
    rabbit = await startRabbit({ nodes: 1, authUrl: callout.url });
  });
  after(async () => {
    await rabbit?.stop();
    await callout.close();
  });

  const platform = () =>
    createRabbitTransport({ urls: rabbit.amqpUrls, managementUrls: rabbit.managementUrls, log, clock: systemClock });

  test('is cut off and returns: the platform waits for it and loses nothing', async (t) => {
    const first = platform();
    assert.equal(first.isUp, false);
    await first.start({ message: async () => true, presence() {} });
    assert.equal(first.isUp, true);
    await first.close();
    assert.equal(first.isUp, false);
    const sent = Array.from({ length: 500 }, (_, index) => `message ${index}`);
    const gateway = await connectGateway('gw-1', rabbit.mqttUrls);
    await Promise.all(sent.map((text) => gateway.publishAsync('gateways/gw-1/state/json/v1', text, { qos: 1 })));
    await gateway.endAsync(true);
    await sleep(3_000); // where a new queue lies is written down a moment later
    await rabbit.kill(0);

    const stored = new Set<string>();
    const second = platform();
    t.after(() => second.close());
    const begun = performance.now();
    await second.start({
      async message({ payload }) {
        stored.add(Buffer.from(payload).toString());
        return true;
      },
      presence() {},
    });
    assert.ok(performance.now() - begun < 5_000, 'it does not wait for the broker to start');
    assert.equal(second.canPublish, false);
    assert.equal(second.publish('orgs/o-1/a', 'it is not received'), false);
    assert.equal(second.shared.figures().dropped, 1);
    assert.equal(second.isUp, false);

    await rabbit.start(0);
    await until(() => stored.size === sent.length && second.isUp);
    assert.deepEqual([...stored].toSorted(), sent.toSorted());
    assert.equal(second.canPublish, true);
  });
});
