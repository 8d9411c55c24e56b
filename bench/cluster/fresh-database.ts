import { Client } from 'pg';
import type { Postgres } from '#test/services/postgres.ts';

/** Creates a database on a server and returns its address. */
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
