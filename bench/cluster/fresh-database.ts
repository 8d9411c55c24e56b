import { Client } from 'pg';
import type { Postgres } from '#test/services/postgres.ts';

/** The address of a new database on a server. */
export async function freshDatabase(postgres: Postgres, name: string): Promise<string> {
  const client = new Client(postgres.url());
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  return postgres.url(name);
}
