import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { platformMessage, platformTopic } from '#contract/topics.ts';
import { writeJson } from '#lib/atomic-file.ts';
import { brokerToken, connectOnce } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openTrialUplink, startBroker } from './testing/trial.ts';

describe('the audience of broker tokens', async () => {
  const cloud = await openCloud();
  await cloud.start();
  after(() => cloud.close());
  const { gateway } = await cloud.home();
  const { serial } = gateway;
  const url = cloud.transport.urls.mqtt!;
  const deploymentId = (await cloud.store.db
    .selectFrom('settings')
    .where('name', '=', 'deployment_id')
    .selectAll()
    .executeTakeFirst())!.value;

  /** An uplink of the gateway, and the audiences of the tokens it has made. */
  async function openGateway(t: Parameters<typeof openTrialUplink>[0], dataDir = temporaryFolder(t)) {
    const made: { aud?: unknown; origin?: unknown }[] = [];
    const { uplink } = await openTrialUplink(t, {
      serial,
      dataDir,
      clock: cloud.clock,
      brokerToken(audience) {
        made.push(audience);
        return brokerToken(gateway, cloud.clock.now(), 3600, audience);
      },
    });
    uplink.start();
    return { uplink, made, dataDir };
  }
  const ownOrigin = { aud: url };
  const ownId = { aud: deploymentId, origin: url };

  test('is the origin of the broker until the platform has sent its id, also after a restart', async (t) => {
    const { uplink, made, dataDir } = await openGateway(t);
    uplink.setBrokers(url);
    await until(() => uplink.isConnected());
    assert.deepEqual(made, [ownOrigin]);
    await until(async () => {
      await cloud.transport.disconnect({ serial });
      return made.length > 1 && made.at(-1)!.aud === deploymentId;
    });
    await uplink.close();

    const again = await openGateway(t, dataDir);
    again.uplink.setBrokers(url);
    await until(() => again.uplink.isConnected());
    assert.deepEqual(again.made, [ownId]);
    await again.uplink.close();
  });

  test('is the origin again when the broker configuration changed, and when it changed back', async (t) => {
    const dataDir = temporaryFolder(t);
    await writeJson(join(dataDir, 'platform.json'), { [url]: deploymentId });
    const { uplink, made } = await openGateway(t, dataDir);
    uplink.setBrokers(url.replace('localhost', '127.0.0.1'));
    await until(() => uplink.isConnected());
    uplink.setBrokers(url);
    await until(() => made.length === 2 && uplink.isConnected());
    assert.deepEqual(made, [{ aud: url.replace('localhost', '127.0.0.1') }, ownOrigin]);
    await uplink.close();
  });

  test('is the origin after a refused login, so that a platform with a new id is reached', async (t) => {
    const dataDir = temporaryFolder(t);
    const formerId = 'urn:ohmstead:00000000-0000-4000-8000-000000000000';
    await writeJson(join(dataDir, 'platform.json'), { [url]: formerId });
    const { uplink, made } = await openGateway(t, dataDir);
    uplink.setBrokers(url);
    await until(() => uplink.isConnected());
    assert.deepEqual(made, [{ aud: formerId, origin: url }, ownOrigin]);
    await until(async () => {
      await cloud.transport.disconnect({ serial });
      return made.at(-1)!.aud === deploymentId;
    });
    await uplink.close();
  });

  test('of a foreign broker that sends the id of our platform is of no use at our platform', async (t) => {
    const foreign = await startBroker();
    t.after(() => foreign.close());
    const { uplink, dataDir } = await openGateway(t);
    uplink.setBrokers(foreign.url);
    await until(() => uplink.isConnected());
    foreign.force({ topic: platformTopic(serial), payload: platformMessage(deploymentId, '') });
    await until(() => existsSync(join(dataDir, 'platform.json')));
    foreign.cut();
    await until(() => foreign.logins.length === 2);
    assert.equal(decodeJwt(foreign.logins[1]!.password!).aud, deploymentId);
    for (const { password } of foreign.logins) {
      const login = connectOnce(url, { clientId: serial, username: serial, password: password! });
      await assert.rejects(login, { code: 5 });
    }
    await uplink.close();
  });

  test('learns from no retained message and from no text that is not an id', async (t) => {
    const foreign = await startBroker();
    t.after(() => foreign.close());
    const { uplink, made } = await openGateway(t);
    uplink.setBrokers(foreign.url);
    await until(() => uplink.isConnected());
    const topic = platformTopic(serial);
    foreign.force({ topic, payload: platformMessage(deploymentId, ''), retain: true });
    for (const payload of [
      '',
      '{',
      'null',
      '7',
      '{"deployment_id":7}',
      platformMessage('urn:other', ''),
      deploymentId,
    ]) {
      foreign.force({ topic, payload });
    }
    foreign.cut();
    await until(() => made.length > 1 && uplink.isConnected());
    assert.deepEqual(made.at(-1), { aud: foreign.url });
    await uplink.close();
  });
});
