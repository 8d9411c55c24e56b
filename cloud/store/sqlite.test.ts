import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { watchStatements } from './sqlite.ts';

const schema = `
  create table sites (id text primary key, name text);
  create table devices (id text primary key, site_id text references sites (id) on delete cascade, online integer);
  create table ders (id text primary key, device_id text references devices (id) on delete set null);
`;

for (const { sql, reads, writes } of [
  { sql: 'select name from sites', reads: ['sites', 'sites.name'], writes: [] },
  { sql: 'select count(*) as count from sites', reads: ['sites', 'sites.'], writes: [] },
  {
    sql: 'select s.name from devices d left join sites s on s.id = d.site_id where d.online = 1',
    reads: ['devices', 'devices.online', 'devices.site_id', 'sites', 'sites.id', 'sites.name'],
    writes: [],
  },
  { sql: 'update devices set online = 0', writes: ['devices.online'] },
  { sql: `insert into sites (id) values ('a')`, writes: ['sites'] },
  {
    sql: `insert into devices (id) values ('a') on conflict (id) do update set online = 1`,
    writes: ['devices', 'devices.online'],
  },
  { sql: 'delete from sites', writes: ['ders.device_id', 'devices', 'sites'] },
] as { sql: string; reads?: string[]; writes: string[] }[]) {
  test(`columns that are read and written by ${sql}`, () => {
    using database = new DatabaseSync(':memory:');
    database.exec(`pragma foreign_keys = 1; ${schema}`);
    const watch = watchStatements(database);
    watch(() => database.prepare('delete from ders'));
    const touched = watch(() => database.prepare(sql));
    if (reads) assert.deepEqual([...touched.reads].sort(), reads);
    assert.deepEqual([...touched.writes].sort(), writes);
  });
}
