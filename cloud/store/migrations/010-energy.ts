/** Adds the energy ledger. Days are UTC days since the epoch, quarters quarter-hours since the epoch; bytea is a blob in SQLite. */
export const energy = `
  -- a DER that moves to another site, or changes its type, gets another row
  create table energy_ders (
    site_id text not null references sites (id) on delete cascade, slot integer not null,
    der_no bigint references ders (no) on delete set null, der_type text not null, device_type text not null,
    after_at bigint not null, since bigint not null, last_at bigint not null,
    constraint energy_ders_pk primary key (site_id, slot)
  );
  create index energy_ders_by_der on energy_ders (der_no, since);

  create table energy_parts (
    site_id text not null references sites (id) on delete cascade, day bigint not null, slot integer not null,
    totals bytea not null, body bytea not null,
    constraint energy_parts_pk primary key (site_id, day, slot)
  );

  create table site_energy (
    site_id text not null references sites (id) on delete cascade, day bigint not null,
    totals bytea not null, body bytea not null,
    constraint site_energy_pk primary key (site_id, day)
  );

  -- quarters to compute again because readings for them were late
  create table energy_due (
    der_no bigint not null references ders (no) on delete cascade, quarter bigint not null, version bigint not null,
    constraint energy_due_pk primary key (der_no, quarter)
  )`;
