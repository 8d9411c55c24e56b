import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { Client } from 'pg';
import { until } from '../until.ts';
import { freshDatabase, postgresMissing, startPostgres } from './postgres.ts';

async function setting(url: string, name: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ current_setting: string }>('select current_setting($1)', [name]);
  await client.end();
  return rows[0]!.current_setting;
}

const listens = (url: URL): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
    socket.once('connect', () => socket.destroy());
  });

suite('a private PostgreSQL', { skip: postgresMissing() }, () => {
  test('gives each test a database of its own until it is dropped', async () => {
    const [one, other] = [await freshDatabase(), await freshDatabase()];
    assert.notEqual(one.url, other.url);
    await one.drop();
    await assert.rejects(setting(one.url, 'fsync'), /does not exist/);
    assert.equal(await setting(other.url, 'server_encoding'), 'UTF8');
    await other.drop();
  });

  for (const { durable, fsync } of [
    { durable: false, fsync: 'off' },
    { durable: true, fsync: 'on' },
  ]) {
    test(`has fsync ${fsync} when durable is ${durable}`, async () => {
      const postgres = await startPostgres({ durable });
      assert.equal(await setting(postgres.url(), 'fsync'), fsync);
      await postgres.stop();
      assert.equal(await listens(new URL(postgres.url())), false);
    });
  }

  test('ends when the process that started it is killed', async () => {
    const script = `
      const { startPostgres } = await import(process.argv[1]);
      console.log((await startPostgres()).url());
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      script,
      import.meta.resolve('./postgres.ts'),
    ]);
    const [line] = (await once(createInterface(starter.stdout), 'line')) as [string];
    const url = new URL(line);
    assert.equal(await listens(url), true);

    starter.kill('SIGKILL');
    await until(async () => !(await listens(url)));
  });
});
