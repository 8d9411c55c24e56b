/** Adds plans: the goals of sites and when they are planned next, plans, what days cost, and what gateways carry out. */
export const plans = `
  create table plan_sites (
    site_id text primary key references sites (id) on delete cascade, goals text not null, is_on integer not null,
    due_at bigint not null, because text not null, claimed_until bigint not null, failures integer not null,
    status text not null, message text, seen text
  );
  create index plan_sites_due on plan_sites (due_at) where is_on = 1;

  create table plans (
    id text primary key, site_id text not null references sites (id) on delete cascade,
    made_at bigint not null, day text not null, kept_until bigint not null, version integer not null,
    inputs bytea not null, result bytea not null
  );
  create index plans_by_site on plans (site_id, made_at);
  create index plans_by_age on plans (kept_until);

  create table plan_days (
    site_id text not null references sites (id) on delete cascade, day text not null, plans integer not null,
    promised double precision, realised double precision, self_consumption double precision,
    load_error_w double precision, solar_error_w double precision, price_error double precision,
    constraint plan_days_pk primary key (site_id, day)
  );

  -- a gateway whose site was deleted keeps its row until the plan is withdrawn
  create table plan_gateways (
    serial text primary key references gateways (serial) on delete cascade,
    site_id text references sites (id) on delete set null,
    plan_id text, plan text, progress text
  );
  create index plan_gateways_by_site on plan_gateways (site_id)`;
