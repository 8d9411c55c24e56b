import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { postgresMissing, startPostgres } from '../services/postgres.ts';
import { binaries, ordinaryUser } from '../services/postgres-binaries.ts';
import { executeAt } from '../services/postgres-pair.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { readDeploy } from './compose-file.ts';

type Line = { name: string; setting: string; applied: boolean; error: string | null };

test('PostgreSQL accepts every line of its file, and a commit waits for the disk', {
  skip: postgresMissing(),
}, async () => {
  const postgres = await startPostgres({ durable: true });
  const client = new Client(postgres.url());
  await client.connect();
  try {
    const { rows } = await client.query<Line>('select name, setting, applied, error from pg_file_settings');
    const faulty = rows.filter(({ applied, error }) => !applied || error !== null).map(({ name }) => name);
    assert.deepEqual(faulty, ['listen_addresses']); // the tests listen elsewhere
    const written = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    for (const name of ['synchronous_commit', 'fsync', 'full_page_writes']) assert.equal(written[name], 'on', name);
  } finally {
    await client.end();
    await postgres.stop();
  }
});

test('start-standby copies a primary, whose commits wait for it from then on, and can be promoted', {
  skip: postgresMissing(),
}, async (t) => {
  const primary = await startPostgres();
  t.after(() => primary.stop());
  await executeAt(primary.url(), `alter system set synchronous_standby_names = ''`); // as if it had had another one
  const folder = temporaryFolder(t);
  const [data, port] = [join(folder, 'data'), await freePort()];
  const [program, conf, password] = ['start-standby', 'postgresql.conf', 'password'].map((name) => join(folder, name));
  await cp(join(root, 'deploy/postgresql'), folder, { recursive: true });
  await writeFile(password!, 'unused');
  await mkdir(data, { mode: 0o700 });
  const owner = ordinaryUser();
  if (owner) for (const path of [folder, data, program!, conf!, password!]) await chown(path, owner.uid, owner.gid);
  const settings = [
    `config_file=${conf}`,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
  ];
  const standby = spawn(program!, ['postgres', ...settings.flatMap((setting) => ['-c', setting])], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: `${binaries()}:${process.env.PATH}`,
      PGDATA: data,
      PRIMARY_HOST: '127.0.0.1',
      PRIMARY_PORT: new URL(primary.url()).port,
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD_FILE: password,
    },
  });
  t.after(async () => {
    standby.kill('SIGQUIT');
    await ended;
  });
  const ended = once(standby, 'exit');
  await until(() => executeAt(primary.url(), `select from pg_stat_replication where sync_state = 'sync'`));
  await executeAt(primary.url(), 'create table kept ()');
  assert.doesNotMatch(await readFile(join(data, 'postgresql.auto.conf'), 'utf8'), /^synchronous_standby_names/m);

  const itsUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await executeAt(itsUrl, 'select pg_promote()');
  await executeAt(itsUrl, 'alter table kept add note text'); // waits for nobody
});

test('the example for Patroni has the settings of postgresql.conf', () => {
  const { bootstrap } = parse(readDeploy('postgresql/patroni.yaml')) as {
    bootstrap: { dcs: { synchronous_mode: boolean; postgresql: { parameters: Record<string, unknown> } } };
  };
  assert.equal(bootstrap.dcs.synchronous_mode, true);
  const conf = readDeploy('postgresql/postgresql.conf');
  for (const [name, value] of Object.entries(bootstrap.dcs.postgresql.parameters)) {
    if (name === 'wal_log_hints') continue; // needed by pg_rewind alone
    assert.match(conf, new RegExp(`^${name} += ${String(value)}( |$)`, 'm'), name);
  }
});
