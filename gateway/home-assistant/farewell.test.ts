import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { serial, startHomeBroker, startTrial, trialDevice } from './testing/trial.ts';

const inverter = trialDevice();
inverter.tell('pv', { W: -3000 });

const isAnnounced = ({ length }: string[]): boolean => length === 4;
const announcedAt = (prefix: string): string[] =>
  [
    `${prefix}/device/${serial}/config`,
    `${prefix}/device/${serial}_INV-1/config`,
    `ohmstead/${serial}/devices/INV-1/status`,
    `ohmstead/${serial}/status`,
  ].toSorted();

async function openFolder(t: TestContext) {
  const dataDir = temporaryFolder(t);
  return { devices: [inverter], dataDir };
}

async function openBroker(t: TestContext, port = 0) {
  const broker = await startHomeBroker({ port });
  t.after(() => broker.close());
  return broker;
}

type Broker = Awaited<ReturnType<typeof openBroker>>;

async function announceAndClose(trial: Parameters<typeof startTrial>[1], broker: Broker, url = broker.url) {
  const bridge = await startTrial(url, trial);
  await until(broker.topics, isAnnounced);
  await bridge.close();
}

test('switching the bridge off removes all announcements and their file', async (t) => {
  const [trial, broker] = [await openFolder(t), await openBroker(t)];
  const url = broker.url.replace('//', '//ada:lovelace@');
  await announceAndClose(trial, broker, url);
  assert.equal((await stat(join(trial.dataDir, 'home-assistant.json'))).mode & 0o777, 0o600);

  const off = await startTrial(undefined, trial);
  await until(broker.topics, ({ length }) => length === 0);
  await until(
    () => readdir(trial.dataDir),
    ({ length }) => length === 0,
  );
  await until(() => off.logged('announcements removed') === 1);
  assert.equal(off.logged('lovelace'), 0);
  await off.close();
});

test('an unreachable former broker delays nothing, and the next start removes the announcements', async (t) => {
  const [trial, broker] = [await openFolder(t), await openBroker(t)];
  await announceAndClose(trial, broker);
  const announced = broker.topics();
  await broker.close();

  const off = await startTrial(undefined, trial);
  await off.close();
  assert.deepEqual(await readdir(trial.dataDir), ['home-assistant-former.json']);

  const back = await openBroker(t, broker.port);
  const later = await startTrial(undefined, trial);
  await until(
    () => readdir(trial.dataDir),
    ({ length }) => length === 0,
  );
  await later.close();
  const cleared = back.published.filter(({ text }) => text === '').map(({ topic }) => topic);
  assert.deepEqual(cleared.toSorted(), announced);
});

test('after a change of the prefix, the old one is cleared and the new one stays online', async (t) => {
  const [trial, broker] = [await openFolder(t), await openBroker(t)];
  await announceAndClose(trial, broker);
  const moved = await startTrial({ url: broker.url, prefix: 'ha/two' }, trial);
  await until(
    () => moved.logged('announcements removed'),
    (count) => count === 1,
  );
  await until(broker.topics, (topics) => topics.join() === announcedAt('ha/two').join());
  assert.equal(broker.retained.get(`ohmstead/${serial}/status`), 'online');
  await moved.close();
  const cleared = broker.published.filter(({ text }) => text === '').map(({ topic }) => topic);
  assert.deepEqual(
    cleared.toSorted(),
    announcedAt('homeassistant').filter((topic) => topic.endsWith('/config')),
  );
});

test('after a change of the broker, the old one is cleared and the new one has the same announcements', async (t) => {
  const [trial, broker, other] = [await openFolder(t), await openBroker(t), await openBroker(t)];
  await announceAndClose(trial, broker);
  const moved = await startTrial(other.url, trial);
  await until(broker.topics, ({ length }) => length === 0);
  assert.deepEqual(await until(other.topics, isAnnounced), announcedAt('homeassistant'));
  await moved.close();
  assert.ok(!(await readFile(join(trial.dataDir, 'home-assistant.json'), 'utf8')).includes(broker.url));
});

test('another password of the same broker does not make it another home', async (t) => {
  const [trial, broker] = [await openFolder(t), await openBroker(t)];
  await announceAndClose(trial, broker);
  const same = await startTrial(broker.url.replace('//', '//ada:lovelace@'), trial);
  await until(
    () => broker.retained.get(`ohmstead/${serial}/status`),
    (status) => status === 'online',
  );
  await same.close();
  assert.equal(same.logged('announcements removed'), 0);
  assert.deepEqual(await readdir(trial.dataDir), ['home-assistant.json']);
});

test('returning to a former home keeps its announcements', async (t) => {
  const [trial, broker] = [await openFolder(t), await openBroker(t)];
  await announceAndClose(trial, broker);
  await broker.close();
  const off = await startTrial(undefined, trial);
  await off.close();

  const back = await openBroker(t, broker.port);
  await announceAndClose(trial, back);
  assert.deepEqual(await readdir(trial.dataDir), ['home-assistant.json']);
  assert.ok(back.published.every(({ text }) => text !== ''));
});
