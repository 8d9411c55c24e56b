import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { createLog } from '#lib/log.ts';
import { amount } from '#test/amount.ts';
import { engines } from '#test/cloud/open-cloud.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { Engine } from './engine.ts';
import { sql } from './kysely.ts';
import { migrate, migrations } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** Returns an engine whose nth statement fails, and the number of statements that were begun. */
function breaking(engine: Engine, breaksAt: number): { engine: Engine; begun(): number } {
  let begun = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (++begun === breaksAt) throw new Error('broken off');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const exclusively: Engine['runExclusively'] = (work) =>
    engine.runExclusively((transaction) => work((step) => transaction((db) => step(db.withPlugin(plugin)))));
  return { engine: { ...engine, runExclusively: exclusively }, begun: () => begun };
}

const ders = ['der-1', 'der-2', 'der-3'];

/** Creates a database of the first release with data in it. */
async function fillFirst(engine: Engine): Promise<void> {
  const [first] = migrations;
  await engine.transaction(async (db) => {
    await sql`create table migrations (name text primary key)`.execute(db);
    await first!.up(db);
    await sql`insert into migrations (name) values (${first!.name})`.execute(db);
    await sql`insert into organizations (id, name, created_at) values ('org', 'Home', 1)`.execute(db);
    await sql`insert into sites (id, org_id, name, created_at, timezone_set) values ('site', 'org', 'House', 1, 0)`.execute(
      db,
    );
    await sql`insert into gateways (serial, org_id, public_key, listed, ownership_at_s, online) values ('gw', 'org', 'key', 0, 1, 0)`.execute(
      db,
    );
    await sql`insert into devices (id, org_id, site_id, gateway_serial, hardware_id, topic_id, type, name, state, online, created_at)
      values ('device', 'org', 'site', 'gw', 'INV-1', 'INV-1', 'inverter', 'Inverter', 'active', 0, 1)`.execute(db);
    for (const id of ders) {
      await sql`insert into ders (id, device_id, name, type, created_at) values (${id}, 'device', ${id}, 'pv', 1)`.execute(
        db,
      );
    }
  });
}

for (const { engine: name, skip } of engines) {
  describe(`an upgrade on ${name}`, { skip }, () => {
    async function openFilled(t: TestContext): Promise<Engine> {
      const database = name === 'postgres' ? await freshDatabase() : undefined;
      const engine = database ? openPostgres(database.url, log) : openSqlite(join(temporaryFolder(t), 'cloud.db'));
      t.after(async () => {
        await engine.close();
        await database?.drop();
      });
      await fillFirst(engine);
      return engine;
    }

    async function look(engine: Engine) {
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(engine.db);
      const tables = await engine.db.introspection.getTables();
      return {
        applied: rows.map((row) => row.name),
        tables: tables.toSorted((one, other) => one.name.localeCompare(other.name)),
      };
    }

    test('interrupted at any statement keeps whole steps and every row, and continues at the next start', async (t) => {
      const whole = await openFilled(t);
      const { engine, begun } = breaking(whole, 0);
      const untouched = await look(whole);
      await migrate(engine);
      const right = await look(whole);
      const statements = begun();
      assert.ok(statements > 10, `${statements} statements`);

      const afterStep = new Map<number, unknown>([
        [1, untouched.tables],
        [migrations.length, right.tables],
      ]);
      // Each time takes a new database: in a short run every fourth statement is enough for every step.
      const every = 4 / amount(4);
      for (let breaksAt = 1; breaksAt <= statements; breaksAt += every) {
        const broken = await openFilled(t);
        await assert.rejects(migrate(breaking(broken, breaksAt).engine), /broken off/);
        const left = await look(broken);
        const steps = left.applied.length;
        assert.deepEqual(left.applied, right.applied.slice(0, steps));
        if (!afterStep.has(steps)) afterStep.set(steps, left.tables);
        assert.deepEqual(left.tables, afterStep.get(steps), `a step is half done at statement ${breaksAt}`);

        await migrate(broken);
        assert.deepEqual(await look(broken), right, `broken off at statement ${breaksAt} of ${statements}`);
        const rows = await broken.db.selectFrom('ders').select(['id', 'no']).orderBy('id').execute();
        assert.deepEqual(
          rows.map(({ id }) => id),
          ders,
        );
        assert.equal(new Set(rows.map(({ no }) => no)).size, ders.length, 'each has a number of its own');
        assert.ok(rows.every(({ no }) => no !== null));
      }
      assert.equal(afterStep.size, migrations.length, 'it was broken off in every step');
    });
  });
}
