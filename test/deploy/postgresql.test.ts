import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { postgresMissing, startPostgres } from '../services/postgres.ts';

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
