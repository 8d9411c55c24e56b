/** Adds who sent a command, and the names of people and things to the audit log as they were at the time. */
export const names = `
  alter table audit add column actor_name text;
  alter table audit add column object_name text;
  update audit set actor_name = (select name from identities where identities.id = audit.actor);
  update audit set object_name = (select name from identities where identities.id = audit.object)
    where action like 'member.%' or action like 'identity.%';
  update audit set object_name = (select name from sites where sites.id = audit.object) where action like 'site.%';
  update audit set object_name = (select name from devices where devices.id = audit.object)
    where action like 'device.%';
  alter table commands add column created_by text;
  alter table commands add column created_by_name text`;
