import type { ClientBase } from 'pg';

// Any number, the same in every process, and not the one of the registry.
const schemaLock = 7_260_212;

// The names share a database with the registry. Bodies of chunks are compressed already, and stay outside their rows.
// Rows live for an hour or two, so vacuum must come often: what it frees is what the next rows take.
const statements = `
  create table if not exists telemetry_samples (
    der bigint not null,
    at bigint not null,
    received bigint not null,
    body text not null,
    primary key (der, at)
  ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  create index if not exists telemetry_late_samples on telemetry_samples (der, received)
    where at < received / 1000 - 3600000;
  create table if not exists telemetry_chunks (
    tier integer not null,
    der bigint not null,
    start bigint not null,
    body bytea not null,
    primary key (tier, der, start)
  );
  alter table telemetry_chunks alter body set storage external;
  create table if not exists telemetry_newest_sealed (der bigint primary key, at bigint not null, body text not null);
  create table if not exists telemetry_state (name text primary key, value bigint not null);
`;

/** Creates what is missing. Safe to call from several processes at once. */
export async function createTelemetryTables(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock]);
    const { rows } = await client.query(`select to_regclass('telemetry_state') is not null as exists`);
    if (!(rows[0] as { exists: boolean }).exists) await client.query(statements);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
