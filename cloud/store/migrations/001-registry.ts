export const registry = `
  create table settings (name text primary key, value text not null);

  create table identities (
    id text primary key, public_key text not null unique, type text not null, name text,
    created_at bigint not null, disabled_at bigint
  );

  create table used_challenges (id text primary key, expires_at bigint not null);
  create index used_challenges_by_expiry on used_challenges (expires_at);

  create table revoked_tokens (jti text primary key, expires_at bigint not null);
  create index revoked_tokens_by_expiry on revoked_tokens (expires_at);

  create table signing_keys (
    kid text primary key, private_key text not null, stage text not null,
    created_at bigint not null, expires_at bigint
  );

  create table idempotency (
    caller text not null, key text not null, request_hash text not null,
    status integer not null, body text not null, created_at bigint not null,
    constraint idempotency_pk primary key (caller, key)
  );
  create index idempotency_by_age on idempotency (created_at);

  create table organizations (id text primary key, name text not null, created_at bigint not null);

  create table members (
    org_id text not null references organizations (id) on delete cascade,
    identity_id text not null references identities (id),
    role text not null, joined_at bigint not null,
    constraint members_pk primary key (org_id, identity_id)
  );
  create index members_by_identity on members (identity_id, org_id);

  -- without a foreign key: the audit outlives its organization
  create table audit (
    id text primary key, org_id text not null, at bigint not null,
    actor text not null, action text not null, object text not null, details text not null
  );
  create index audit_by_organization on audit (org_id, id);

  create table sites (
    id text primary key, org_id text not null references organizations (id),
    name text not null, created_at bigint not null,
    latitude double precision, longitude double precision, cell text,
    timezone text, timezone_set integer not null,
    country text, price_area text, tariff_id text, fuse_a double precision
  );
  create index sites_by_organization on sites (org_id, id);

  create table gateways (
    serial text primary key, org_id text references organizations (id),
    public_key text not null, listed integer not null, claimed_at bigint, ownership_at_s bigint not null,
    online integer not null, last_seen bigint
  );
  create index gateways_by_organization on gateways (org_id, serial);

  create table claim_nonces (
    serial text not null, nonce text not null,
    identity_id text not null, org_id text not null, message text not null, used_at bigint not null,
    constraint claim_nonces_pk primary key (serial, nonce)
  );

  create table devices (
    id text primary key,
    org_id text not null references organizations (id),
    site_id text not null references sites (id),
    gateway_serial text not null references gateways (serial),
    hardware_id text not null, topic_id text not null,
    type text not null, name text not null, manufacturer text, model text,
    state text not null, online integer not null, last_seen bigint, created_at bigint not null,
    constraint devices_natural_key unique (gateway_serial, org_id, topic_id)
  );
  create index devices_by_site on devices (site_id, id);

  create table ders (
    id text primary key, device_id text not null references devices (id) on delete cascade,
    name text not null, type text not null, created_at bigint not null,
    constraint ders_by_device unique (device_id, name)
  );

  create table cells (h3_index text primary key, site_count integer not null);

  create table cell_ders (
    h3_index text not null, der_type text not null, der_count integer not null,
    constraint cell_ders_pk primary key (h3_index, der_type)
  )`;
