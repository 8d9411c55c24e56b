/** Adds orders: commands that the platform renews until they end. */
export const orders = `
  create table orders (
    id text primary key, der_id text not null references ders (id) on delete cascade,
    power_w double precision not null, kind text not null, target_soc_pct double precision,
    starts_at bigint not null, ends_at bigint not null, due_at bigint not null, command_id text,
    failures integer not null, applied_at bigint, created_at bigint not null, created_by text not null,
    created_by_name text, client_id text, ended_at bigint, ended_by text, message text
  );
  create index orders_by_der on orders (der_id, id);
  create unique index orders_open on orders (der_id) where ended_at is null;
  create index orders_due on orders (due_at) where ended_at is null;
  create index orders_by_end on orders (ended_at);
  alter table commands add column order_id text`;
