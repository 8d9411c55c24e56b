import { DatabaseTooNew } from '#lib/database-too-new.ts';
import type { Db, Engine } from './engine.ts';
import { runStatements, sql } from './kysely.ts';
import { registry } from './migrations/001-registry.ts';
import { telemetry } from './migrations/002-telemetry.ts';
import { oauth } from './migrations/003-oauth.ts';
import { derFields } from './migrations/004-der-fields.ts';
import { erasures } from './migrations/005-erasures.ts';
import { invitations } from './migrations/006-invitations.ts';
import { tokenAudience } from './migrations/007-token-audience.ts';
import { quotas } from './migrations/008-quotas.ts';
import { brokerConnections } from './migrations/009-broker-connections.ts';
import { energy } from './migrations/010-energy.ts';
import { contracts } from './migrations/011-contracts.ts';
import { alerts } from './migrations/012-alerts.ts';
import { names } from './migrations/013-names.ts';
import { signIns } from './migrations/014-sign-ins.ts';
import { browsers } from './migrations/015-browsers.ts';
import { orders } from './migrations/016-orders.ts';
import { plans } from './migrations/017-plans.ts';
import { gatewayVersions } from './migrations/018-gateway-versions.ts';
import { planPower } from './migrations/019-plan-power.ts';
import { alertBrowsers } from './migrations/020-alert-browsers.ts';

/** The migrations in the order they are applied. Append only: a released migration never changes. */
export const migrations: readonly { name: string; up(db: Db): Promise<void> }[] = [
  { name: '001-registry', up: run(registry) },
  { name: '002-telemetry', up: telemetry },
  { name: '003-oauth', up: run(oauth) },
  { name: '004-der-fields', up: run(derFields) },
  { name: '005-erasures', up: run(erasures) },
  { name: '006-invitations', up: run(invitations) },
  { name: '007-token-audience', up: run(tokenAudience) },
  { name: '008-quotas', up: run(quotas) },
  { name: '009-broker-connections', up: run(brokerConnections) },
  { name: '010-energy', up: run(energy) },
  { name: '011-contracts', up: run(contracts) },
  { name: '012-alerts', up: run(alerts) },
  { name: '013-names', up: run(names) },
  { name: '014-sign-ins', up: run(signIns) },
  { name: '015-browsers', up: run(browsers) },
  { name: '016-orders', up: run(orders) },
  { name: '017-plans', up: run(plans) },
  { name: '018-gateway-versions', up: run(gatewayVersions) },
  { name: '019-plan-power', up: run(planPower) },
  { name: '020-alert-browsers', up: run(alertBrowsers) },
];

function run(statements: string): (db: Db) => Promise<void> {
  return (db) => runStatements(db, statements);
}

/** Migrates the database to this program's schema, one transaction per step. An interrupted run continues where it ended. */
export async function migrate(engine: Engine): Promise<string[]> {
  const applied: string[] = [];
  await engine.runExclusively(async (transaction) => {
    while (await transaction((db) => step(db, applied)));
  });
  return applied;
}

async function step(db: Db, applied: string[]): Promise<boolean> {
  await sql`create table if not exists migrations (name text primary key)`.execute(db);
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new DatabaseTooNew(
      `The database was written by a newer Ohmstead (${unknown.join(', ')}). Start that version, or restore a backup.`,
    );
  }
  const next = migrations.find(({ name }) => !done.has(name));
  if (!next) return false;
  await next.up(db);
  await sql`insert into migrations (name) values (${next.name})`.execute(db);
  applied.push(next.name);
  return true;
}

/** Returns the tables of a database that may be of another version, or empty. */
export async function tableNames(db: Db): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables();
  return new Set(tables.map(({ name }) => name));
}
