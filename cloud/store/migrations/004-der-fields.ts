/** Stores the field names of DERs with many fields, so that their limit survives a restart. */
export const derFields = `
  create table der_fields (
    der_no bigint not null references ders (no) on delete cascade, name text not null,
    constraint der_fields_by_der primary key (der_no, name)
  )`;
