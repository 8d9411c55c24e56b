export const quotas = `
  alter table organizations add column created_by text;
  update organizations set created_by = (
    select identity_id from members where org_id = organizations.id and role = 'owner'
    order by joined_at, identity_id limit 1
  );
  create index organizations_by_creator on organizations (created_by);
  create index devices_by_organization on devices (org_id);

  -- without a foreign key: telemetry may still be counted for an organization that was just deleted
  create table telemetry_usage (
    org_id text not null, day bigint not null, bytes bigint not null,
    constraint telemetry_usage_pk primary key (org_id, day)
  );
  create index telemetry_usage_by_day on telemetry_usage (day)`;
