import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import type { MqttClient } from 'mqtt';
import { connectOnce } from '../cloud/gateway-client.ts';
import { freePort } from '../free-port.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { type Rabbit, rabbitMissing, startRabbit } from '../services/rabbitmq.ts';

type Behaviour = (answer: (status: number, text: string) => void, socket: Socket) => void;

const allows: Behaviour = (answer) => answer(200, 'allow');

/** Ways in which nobody can be asked. */
const ways: Record<string, Behaviour> = {
  'answers 500': (answer) => answer(500, 'allow'),
  'answers 503': (answer) => answer(503, ''),
  'answers 404, as behind another proxy': (answer) => answer(404, '<html>allow</html>'),
  'answers 401, as to a wrong secret': (answer) => answer(401, 'allow'),
  'answers 302': (answer) => answer(302, 'allow'),
  'answers with an error page': (answer) => answer(200, '<html>allow</html>'),
  'answers nothing at all': (answer) => answer(200, ''),
  'says deny': (answer) => answer(200, 'deny'),
  'hangs up': (_, socket) => socket.destroy(),
  'never answers': () => {},
};

suite('RabbitMQ, while the platform that it asks', { skip: rabbitMissing() }, () => {
  let port: number;
  let platform: Server;
  let rabbit: Rabbit | undefined;
  let inside: MqttClient | undefined;
  let behaviour = allows;
  let asked = 0;

  const open = async (): Promise<void> => {
    platform = createServer((request, response) => {
      asked++;
      request.resume();
      behaviour((status, text) => response.writeHead(status).end(text), request.socket);
    });
    port = await listenOnLoopback(platform, port);
  };
  const shut = async (): Promise<void> => {
    platform.close();
    platform.closeAllConnections();
    await once(platform, 'close');
  };
  const enter = (serial: string): Promise<MqttClient> =>
    connectOnce(rabbit!.mqttUrls[0]!, {
      clientId: serial,
      username: serial,
      password: 'token',
      protocolVersion: 4,
      connectTimeout: 3000,
    });
  const refusesAll = async (): Promise<void> => {
    const tries = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => enter(`gw-new-${index}`)));
    for (const each of tries) if (each.status === 'fulfilled') await each.value.endAsync(true);
    assert.deepEqual([...new Set(tries.map(({ status }) => status))], ['rejected']);
    assert.ok(inside?.connected);
    await inside.publishAsync('gateways/gw-inside/state/json/v1', '{}', { qos: 1 });
  };
  const isItselfAgain = async (): Promise<void> => (await enter('gw-after')).endAsync(true);

  before(async () => {
    port = await freePort();
    await open();
    rabbit = await startRabbit({ nodes: 1, authUrl: `http://127.0.0.1:${port}` });
    inside = await enter('gw-inside');
    await inside.publishAsync('gateways/gw-inside/state/json/v1', '{}', { qos: 1 });
  });
  after(async () => {
    await inside?.endAsync(true);
    await rabbit?.stop();
    await shut();
  });

  for (const [says, way] of Object.entries(ways)) {
    test(`${says}, lets nobody new in, keeps who is in, and is itself again afterwards`, async () => {
      behaviour = way;
      const before = asked;
      await refusesAll();
      assert.ok(asked > before, 'nobody was asked');
      behaviour = allows;
      await isItselfAgain();
    });
  }

  test('is not there, lets nobody new in, keeps who is in, and is itself again afterwards', async () => {
    await shut();
    await refusesAll();
    await open();
    await isItselfAgain();
  });
});
