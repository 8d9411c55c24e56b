import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';
import { startPlatform } from './platform.ts';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
const files = 150;

/** Whether a new connection is answered. */
const isTakenIn = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ port, path: '/health', agent: false }, (answer) => resolve(answer.resume().statusCode === 200));
    asked.on('error', () => resolve(false));
  });

test('a platform without file handles accepts no connections, loses nothing, and recovers when there are some', {
  skip: canLimit ? false : 'prlimit is not installed',
}, async (t) => {
  const folder = temporaryFolder(t);
  const platform = await startPlatform({ DATA_DIR: folder, CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'fatal' });
  t.after(() => platform.kill());
  const fleet = await enrolFleet(platform.url, 2);
  const ledger = createLedger();
  const stop = reportContinually(() => platform.mqttUrl!, fleet, ledger);
  await until(ledger.acknowledged, (count) => count > 100);

  assert.equal(spawnSync('prlimit', ['--pid', String(platform.pid), `--nofile=${files}:${files}`]).status, 0);
  const openFiles = (): number => readdirSync(`/proc/${platform.pid}/fd`).length;
  const port = Number(new URL(platform.url).port);
  const crowd: Socket[] = Array.from({ length: files }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(crowd.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  await until(() => crowd.some(({ closed }) => closed)); // there are more of them than files
  assert.ok(openFiles() >= files - 1, `${openFiles()} of ${files} files are open`); // one is kept to turn people away with
  for (let knock = 0; knock < 5; knock++) assert.equal(await isTakenIn(port), false);
  const before = ledger.acknowledged();
  await until(ledger.acknowledged, (count) => count > before + 100); // open connections continue
  for (const socket of crowd) socket.destroy();

  await until(() => isTakenIn(port));
  await stop();
  const verdict = await checkLedger(createClient({ baseUrl: platform.url, token: fleet.token }), ledger);
  console.log(`${files} files`, verdict);
  assert.ok(isClean(verdict));
});
