import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CloudConfig } from '#cloud/config.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { runCli } from '../testing/child-process.ts';
import { command } from './command.ts';
import { describeFailure } from './failure.ts';

const cloud = command('cloud', {
  summary: '',
  options: {},
  environment: CloudConfig,
  examples: [],
  run: async () => {},
});
const folder = temporaryFolder({ after });
const taken = createServer();
let port = 0;
before(async () => {
  port = await listenOnLoopback(taken);
});
after(() => taken.close());

for (const { program, setting, others } of [
  { program: 'cloud', setting: 'CLOUD_PORT', others: { MQTT_PORT: '0' } },
  { program: 'cloud', setting: 'MQTT_PORT', others: { CLOUD_PORT: '0' } },
  { program: 'gateway', setting: 'GATEWAY_PORT', others: { GATEWAY_HOST: '127.0.0.1', MDNS: 'off' } },
  { program: 'price', setting: 'PRICE_PORT', others: {} },
]) {
  test(`${program} on a port that is taken names ${setting}`, async () => {
    const env = { LOG_LEVEL: 'silent', ...others, [setting]: String(port) };
    const { code, err } = await runCli([program, '--data', join(folder, setting)], env);
    const sentence = `Port ${port} on 127.0.0.1 is in use; set ${setting} to another port, or to 0 for any free port.\n`;
    assert.deepEqual([code, err], [1, sentence]);
  });
}

const refused = (details: object): Error => Object.assign(new Error('connect failed'), details);

for (const { what, error, env, says } of [
  {
    what: 'a file in a folder that is missing',
    error: refused({ code: 'ENOENT', path: '/missing/x.csv.4711.tmp' }),
    env: {},
    says: 'No such file or folder: /missing/x.csv.',
  },
  {
    what: 'a database that is not there',
    error: refused({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 5433 }),
    env: { DATABASE_URL: 'postgres://localhost:5433/x' },
    says: 'Cannot reach the database (ECONNREFUSED).',
  },
  {
    what: 'something else than the database that does not answer',
    error: refused({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 5672 }),
    env: { DATABASE_URL: 'postgres://db.example:5432/x' },
    says: 'No answer from 127.0.0.1:5672 (ECONNREFUSED).',
  },
  {
    what: 'a refusal without any database in use',
    error: refused({ code: 'ECONNREFUSED', address: '::1', port: 1883 }),
    env: {},
    says: 'No answer from ::1:1883 (ECONNREFUSED).',
  },
  {
    what: 'one of several databases that is not there',
    error: refused({ code: 'ECONNREFUSED', address: '10.0.0.2', port: 5433 }),
    env: { DATABASE_URL: 'postgres://a:5432,b:5433/x' },
    says: 'Cannot reach the database (ECONNREFUSED).',
  },
  {
    what: 'several databases without a primary',
    error: Object.assign(new Error('No PostgreSQL server is a primary: a (standby or outdated).'), { code: '08001' }),
    env: {},
    says: 'No PostgreSQL server is a primary: a (standby or outdated).',
  },
  {
    what: 'an unknown host name of the database',
    error: refused({ code: 'ENOTFOUND', hostname: 'db.example' }),
    env: { DATABASE_URL: 'postgres://db.example/x' },
    says: 'Cannot reach the database (ENOTFOUND).',
  },
  {
    what: 'another unknown host name',
    error: refused({ code: 'ENOTFOUND', hostname: 'broker.example' }),
    env: { DATABASE_URL: 'postgres://db.example/x' },
    says: 'No answer from broker.example (ENOTFOUND).',
  },
  {
    what: 'a refusal at each address of a name',
    error: refused({
      code: 'ECONNREFUSED',
      errors: [
        { address: '::1', port: 5432 },
        { address: '127.0.0.1', port: 5432 },
      ],
    }),
    env: { DATABASE_URL: 'postgres://localhost/x' },
    says: 'Cannot reach the database (ECONNREFUSED).',
  },
  {
    what: 'a refusal of PostgreSQL',
    error: refused({ code: '28P01' }),
    env: {},
    says: 'The database refused: connect failed.',
  },
  {
    what: 'a port that no setting has',
    error: refused({ code: 'EADDRINUSE', address: '127.0.0.1', port: 7 }),
    env: { MQTT_PORT: '1' },
    says: 'Port 7 on 127.0.0.1 is in use; set CLOUD_PORT or MQTT_PORT or MQTT_TLS_PORT to another port, or to 0 for any free port.',
  },
]) {
  test(`${what}: "${says}"`, () => {
    assert.deepEqual(describeFailure(error, { command: cloud, env }), { text: says, exitCode: 1 });
  });
}

test('a refusal of the message broker is not one of the database', () => {
  const { text } = describeFailure(refused({ code: 530 }), { command: cloud, env: {} });
  assert.match(text, /^Error: connect failed\n/);
});
