/** Adds the sign-ins of identities, and when an identity signed out everywhere. */
export const signIns = `
  create table sign_ins (
    id text primary key, identity_id text not null references identities (id), description text not null,
    created_at bigint not null, used_at bigint not null, expires_at bigint not null
  );
  create index sign_ins_by_identity on sign_ins (identity_id, id);
  create index sign_ins_by_expiry on sign_ins (expires_at);
  alter table identities add column signed_out_at bigint`;
