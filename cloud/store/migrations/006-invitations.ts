export const invitations = `
  -- how a membership came about (among the existing ones, only that of the creator is known to be wanted)
  alter table members add column origin text default 'added' not null;
  update members set origin = 'created'
    where role = 'owner' and joined_at = (select created_at from organizations where organizations.id = members.org_id);

  -- without a foreign key: the link of a deleted organization must still be recognised as ended
  create table invitations (
    id text primary key, org_id text not null, secret_hash text not null unique, role text not null, name text,
    invited_by text not null, created_at bigint not null, expires_at bigint not null, ended_at bigint
  );
  create index invitations_by_organization on invitations (org_id, id);
  create index invitations_by_expiry on invitations (expires_at)`;
