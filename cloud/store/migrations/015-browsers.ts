/** Adds the further browsers of identities with their keys, and the links by which they are added. */
export const browsers = `
  create table browsers (
    id text primary key, identity_id text not null references identities (id), public_key text not null unique,
    description text not null, created_at bigint not null
  );
  create index browsers_by_identity on browsers (identity_id, id);
  -- one at a time for each identity
  create table pairings (
    identity_id text primary key references identities (id), id text not null, secret_hash text not null unique,
    public_key text, description text, expires_at bigint not null, confirmed_at bigint
  );
  create index pairings_by_expiry on pairings (expires_at);
  -- the further browser that signed in
  alter table sign_ins add column browser_id text`;
