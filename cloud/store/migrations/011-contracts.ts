/** Adds the contracts of households; periods are JSON. */
export const contracts = `
  create table site_contracts (
    site_id text primary key references sites (id) on delete cascade, periods text not null, changed_at bigint not null
  )`;
