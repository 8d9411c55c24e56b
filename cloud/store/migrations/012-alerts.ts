/** Adds alerts: which sites are checked, who receives them, what was raised, and the outbox of messages. */
export const alerts = `
  create table alert_sites (
    site_id text primary key references sites (id) on delete cascade, rules text not null
  );

  create table alert_channels (
    id text primary key,
    identity_id text references identities (id) on delete cascade,
    site_id text references sites (id) on delete cascade,
    kind text not null, name text not null, target text not null, secret text, language text not null,
    verified_at bigint, code_hash text, code_expires_at bigint not null, code_tries integer not null,
    created_at bigint not null
  );
  create index alert_channels_by_identity on alert_channels (identity_id, id);
  create index alert_channels_by_site on alert_channels (site_id, id);
  create index alert_channels_by_target on alert_channels (target);

  create table alert_follows (
    site_id text not null references sites (id) on delete cascade,
    identity_id text not null references identities (id) on delete cascade,
    quiet_from integer, quiet_to integer, except_urgent integer not null,
    constraint alert_follows_pk primary key (site_id, identity_id)
  );
  create index alert_follows_by_identity on alert_follows (identity_id);

  create table alerts (
    id text primary key, site_id text not null references sites (id) on delete cascade, rule text not null,
    subjects text not null, facts text not null, at bigint not null, ended_at bigint
  );
  create index alerts_by_site on alerts (site_id, id);
  create index alerts_by_rule on alerts (site_id, rule, at);
  create index alerts_by_age on alerts (at);
  create index alerts_open on alerts (site_id) where ended_at is null;

  create table alert_deliveries (
    id text primary key, alert_id text not null references alerts (id) on delete cascade,
    channel_id text not null, channel_kind text not null, is_clear integer not null, status text not null,
    due_at bigint not null, give_up_at bigint not null, claimed_until bigint not null, tries integer not null,
    reason text
  );
  create index alert_deliveries_by_alert on alert_deliveries (alert_id);
  create index alert_deliveries_due on alert_deliveries (channel_kind, due_at) where status = 'waiting'`;
