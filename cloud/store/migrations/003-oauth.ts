export const oauth = `
  create table oauth_clients (
    id text primary key, org_id text references organizations (id) on delete cascade,
    name text not null, redirect_uris text not null, secret_hash text, created_at bigint not null
  );
  create index oauth_clients_by_organization on oauth_clients (org_id, id);

  create table oauth_consents (
    id text primary key, identity_id text not null references identities (id),
    client_id text not null references oauth_clients (id) on delete cascade,
    scopes text not null, org_ids text not null, created_at bigint not null, expires_at bigint not null,
    constraint oauth_consents_by_identity unique (identity_id, client_id)
  );
  create index oauth_consents_by_client on oauth_consents (client_id);

  create table oauth_records (
    id text primary key, kind text not null, grant_id text, client_id text, identity_id text,
    payload text not null, consumed_at bigint, expires_at bigint not null
  );
  create index oauth_records_by_grant on oauth_records (grant_id);
  create index oauth_records_by_client on oauth_records (client_id, identity_id);
  create index oauth_records_by_expiry on oauth_records (expires_at)`;
