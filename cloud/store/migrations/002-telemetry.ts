import { newDerNumber } from '../devices.ts';
import type { Db } from '../engine.ts';
import { runStatements } from '../kysely.ts';

export async function telemetry(db: Db): Promise<void> {
  await runStatements(db, 'alter table ders add column no bigint');
  for (const { id } of await db.selectFrom('ders').select('id').execute()) {
    await db.updateTable('ders').set({ no: newDerNumber() }).where('id', '=', id).execute();
  }
  await runStatements(
    db,
    `create unique index ders_by_no on ders (no);
    create index sites_by_cell on sites (cell);

    create table stream_tickets (
      id text primary key, site_id text not null, caller text not null, expires_at bigint not null
    );

    create table commands (
      id text primary key, der_id text not null references ders (id) on delete cascade,
      org_id text not null, gateway_serial text not null, power_w double precision not null, ttl_s integer not null,
      status text not null, created_at bigint not null, expires_at bigint not null, history text not null
    );
    create index commands_by_der on commands (der_id, id);
    create index commands_by_status on commands (status, expires_at)`,
  );
}
