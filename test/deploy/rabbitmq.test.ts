import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { writeNode } from '../services/rabbitmq-node.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const start = join(root, 'deploy/rabbitmq/start');
const run = promisify(execFile);

const blanks = {
  AMQP_LISTENER: '127.0.0.1:5672',
  MQTT_LISTENER: '127.0.0.1:1883',
  MANAGEMENT_IP: '127.0.0.1',
  MANAGEMENT_PORT: '15672',
  PLATFORM_USER: 'platform',
  CALLOUT_URL: 'http://cloud.test',
  NODE_1: 'rabbit@mq1',
  NODE_2: 'rabbit@mq2',
  NODE_3: 'rabbit@mq3',
};

/** A folder with the secrets of a node, and an environment in which `env` starts instead of it. */
async function nodeIn(folder: string): Promise<Record<string, string>> {
  const secrets = { PLATFORM_PASSWORD: 'pass&word', INTERNAL_TOKEN: 'token', ERLANG_COOKIE: 'cookie' };
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries(secrets)) {
    files[`${name}_FILE`] = join(folder, name);
    await writeFile(join(folder, name), `${value}\n`);
  }
  return {
    PATH: process.env.PATH!,
    HOME: folder,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_NODENAME: 'rabbit@mq1',
    RABBITMQ_SERVER: '/usr/bin/env',
    ...blanks,
    ...files,
  };
}

suite('the start of a RabbitMQ node', () => {
  test('fills in the shipped configuration like the cluster tests do', async (t) => {
    const folder = temporaryFolder(t);
    const { stdout } = await run(start, { env: await nodeIn(folder) });
    const node = { folder: 'same', name: 'rabbit@mq1', amqp: 5672, mqtt: 1883, management: 15_672, dist: 25_672 };
    writeNode(folder, node, {
      authUrl: blanks.CALLOUT_URL,
      token: 'token',
      user: 'platform',
      password: 'pass&word',
      names: [blanks.NODE_1, blanks.NODE_2, blanks.NODE_3],
    });
    const filled = (path: string) => readFileSync(join(folder, path), 'utf8').trimEnd();
    assert.equal(filled('rabbitmq.conf'), filled('same/rabbitmq.conf'));
    for (const [name, file] of [
      ['RABBITMQ_ENABLED_PLUGINS_FILE', 'enabled_plugins'],
      ['RABBITMQ_ADVANCED_CONFIG_FILE', 'advanced.config'],
    ] as const) {
      const used = new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)![1]!;
      assert.equal(readFileSync(used, 'utf8'), readFileSync(join(folder, 'same', file), 'utf8'));
    }
  });

  test('names the missing value and starts nothing', async (t) => {
    const folder = temporaryFolder(t);
    const env = await nodeIn(folder);
    delete env.CALLOUT_URL;
    await assert.rejects(run(start, { env }), ({ stderr, stdout }: { stderr: string; stdout: string }) => {
      assert.match(stderr, /rabbitmq\.conf needs CALLOUT_URL/);
      assert.equal(stdout, '');
      return true;
    });
  });

  test('waits the first time until the previous node listens', async (t) => {
    const folder = temporaryFolder(t);
    const port = await freePort();
    const env = { ...(await nodeIn(folder)), START_AFTER: `127.0.0.1:${port}` };
    const node = spawn(start, { env, stdio: 'ignore' });
    const ended = once(node, 'exit');
    const isEarly = await Promise.race([ended, new Promise((later) => setTimeout(later, 300, 'waits'))]);
    assert.equal(isEarly, 'waits');
    const before = createServer().listen(port, '127.0.0.1');
    assert.deepEqual(await ended, [0, null]);
    before.close();
  });
});
