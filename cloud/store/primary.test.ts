import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freePort } from '#test/free-port.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { executeAt, startPostgresPair } from '#test/services/postgres-pair.ts';
import { until } from '#test/until.ts';
import { hostUrls, shownUrl } from './host-urls.ts';
import { createPool } from './pool.ts';
import { Primary } from './primary.ts';

for (const { url, each, shown } of [
  { url: 'postgres://a/db', each: ['postgres://a/db'], shown: 'a/db' },
  {
    url: 'postgres://me:p,w@a:5432,b:5433/db?sslmode=require',
    each: ['postgres://me:p,w@a:5432/db?sslmode=require', 'postgres://me:p,w@b:5433/db?sslmode=require'],
    shown: 'a:5432,b:5433/db',
  },
  { url: 'postgresql://[::1]:5432,b', each: ['postgresql://[::1]:5432', 'postgresql://b'], shown: '[::1]:5432,b' },
  { url: 'postgres://a/db?options=a,b', each: ['postgres://a/db?options=a,b'], shown: 'a/db' },
]) {
  test(`${url} is a URL for each of ${each.length}`, () => {
    assert.deepEqual(hostUrls(url), each);
    assert.equal(shownUrl(url), shown);
  });
}

suite('hosts in a URL', { skip: postgresMissing() }, () => {
  test('a server that does not answer is passed over, a read-only one refused', async (t) => {
    const { url, drop } = await freshDatabase();
    t.after(drop);
    const dead = await freePort();
    const both = url.replace('@', `@127.0.0.1:${dead},`);
    const lost: Error[] = [];
    const pool = createPool(both, 1, (error) => lost.push(error));
    t.after(() => pool.end());
    await pool.query('create table notes (note text)');

    const demoted = await pool.connect();
    await demoted.query('set default_transaction_read_only = on');
    await assert.rejects(demoted.query(`insert into notes values ('refused')`), { code: '25006' });
    demoted.release();
    await pool.query(`insert into notes values ('kept')`); // by a new connection

    const client = await pool.connect();
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    client.release(true);
    await assert.rejects(pool.query('select 1'), {
      code: '08001',
      message: new RegExp(`127.0.0.1:${dead} \\(connect ECONNREFUSED.*\\(standby or outdated\\)\\.$`),
    });
    await assert.rejects(new Primary(url.replace('@', `@127.0.0.1:${dead},`).replace(/test_\w+$/, 'missing')).url(), {
      code: '3D000',
    });
  });

  test('a commit that did not reach the standby fails, and the promoted standby replaces the old primary', async (t) => {
    const pair = await startPostgresPair();
    t.after(() => pair.stop());
    const lost: Error[] = [];
    const pool = createPool(pair.url, 2, (error) => lost.push(error));
    t.after(() => pool.end());
    const old = pair.primary().url();
    await pool.query('create table notes (note text)');
    assert.equal(await new Primary(pair.url).url(), old);

    await executeAt(old, `alter system set synchronous_standby_names = 'nobody'`);
    await executeAt(old, 'select pg_reload_conf()');
    await until(() => executeAt(old, 'select from pg_stat_replication where sync_priority = 0')); // the sender has reloaded
    const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
    const cancelled = assert.rejects(pool.query(`insert into notes values ('cancelled')`), { code: '08007' });
    await until(() => executeAt(old, waiting));
    await executeAt(old, `select pg_cancel_backend(pid) from (${waiting}) as waiting`);
    await cancelled;

    const given = assert.rejects(pool.query(`insert into notes values ('unknown')`), { code: '08006' });
    await until(() => executeAt(old, waiting));
    await pair.standby().promote();
    await given;
    await pool.query(`insert into notes values ('new')`);
    assert.equal(await new Primary(pair.url).url(), pair.standby().url());
    assert.equal(await executeAt(pair.standby().url(), `select from notes where note = 'new'`), 1);
    assert.equal(await executeAt(old, `select from notes where note = 'new'`), 0);
  });
});
