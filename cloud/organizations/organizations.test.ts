import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import type { Person } from '#test/cloud/open-cloud.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';

onEachEngine('organizations', async (cloud) => {
  const ada = await cloud.person();
  const named = (name: string) => cloud.person(undefined, ed25519(), name);

  test('who creates an organization owns it, and only they see it', async () => {
    const created = await cloud.call('POST', '/organizations', { as: ada, body: { name: 'Älvsjö Energi ⚡' } });
    assert.equal(created.status, 201);
    assert.equal(created.body.owner_id, ada.id);
    const { id } = created.body;
    assert.deepEqual((await cloud.call('GET', `/organizations/${id}`, { as: ada })).body, created.body);
    const stranger = await cloud.person();
    assert.deepEqual((await cloud.call('GET', '/organizations', { as: stranger })).body, []);
    assert.equal((await cloud.call('GET', `/organizations/${id}`, { as: stranger })).status, 404);
  });

  test('an organization is renamed by its admins and deleted by its owner when it is empty', async () => {
    const org = await cloud.organization(ada);
    const admin = await cloud.member(ada, org, 'admin');
    const renamed = await cloud.call('PUT', `/organizations/${org}`, { as: admin, body: { name: 'New' } });
    assert.equal(renamed.body.name, 'New');
    const site = await cloud.site(ada, org);
    assert.equal((await cloud.call('DELETE', `/organizations/${org}`, { as: admin })).status, 403);
    assert.equal((await cloud.call('DELETE', `/organizations/${org}`, { as: ada })).status, 409);
    await cloud.call('DELETE', `/sites/${site}`, { as: ada });
    const gateway = await cloud.claim(ada, org);
    assert.equal((await cloud.call('DELETE', `/organizations/${org}`, { as: ada })).status, 409);
    await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada });
    assert.equal((await cloud.call('DELETE', `/organizations/${org}`, { as: ada })).status, 204);
    assert.equal((await cloud.call('GET', `/organizations/${org}`, { as: ada })).status, 404);
  });

  test('members join, change and leave', async () => {
    const org = await cloud.organization(ada);
    const bob = await cloud.member(ada, await cloud.organization(ada, 'Shared'), 'viewer');
    const members = `/organizations/${org}/members`;
    const added = await cloud.call('POST', members, { as: ada, body: { identity_id: bob.id, role: 'viewer' } });
    assert.equal(added.status, 201);
    assert.deepEqual(Object.keys(added.body).sort(), ['identity_id', 'joined_at', 'name', 'role']);
    const again = await cloud.call('POST', members, { as: ada, body: { identity_id: bob.id, role: 'viewer' } });
    assert.equal(again.status, 200);
    const other = await cloud.call('POST', members, { as: ada, body: { identity_id: bob.id, role: 'admin' } });
    assert.equal(other.status, 409);
    const changed = await cloud.call('PUT', `${members}/${bob.id}`, { as: ada, body: { role: 'operator' } });
    assert.equal(changed.body.role, 'operator');
    assert.equal((await cloud.call('DELETE', `${members}/${bob.id}`, { as: bob })).status, 204);
    assert.equal((await cloud.call('GET', `/organizations/${org}`, { as: bob })).status, 404);
    assert.equal((await cloud.call('DELETE', `${members}/${bob.id}`, { as: ada })).status, 404);
    const nobody = await cloud.call('POST', members, { as: ada, body: { identity_id: 'idt-x', role: 'viewer' } });
    assert.equal(nobody.status, 403);
  });

  test('the last owner stays; ownership is handed over by making another owner first', async () => {
    const org = await cloud.organization(ada);
    const bob = await cloud.member(ada, org, 'admin');
    const seat = (person: Person) => `/organizations/${org}/members/${person.id}`;
    assert.equal((await cloud.call('DELETE', seat(ada), { as: ada })).status, 409);
    assert.equal((await cloud.call('PUT', seat(ada), { as: ada, body: { role: 'viewer' } })).status, 409);
    assert.equal((await cloud.call('PUT', seat(bob), { as: bob, body: { role: 'owner' } })).status, 403);
    assert.equal((await cloud.call('DELETE', seat(ada), { as: bob })).status, 403);
    assert.equal((await cloud.call('PUT', seat(bob), { as: ada, body: { role: 'owner' } })).status, 200);
    assert.equal((await cloud.call('DELETE', seat(ada), { as: ada })).status, 204);
    assert.equal((await cloud.call('GET', `/organizations/${org}`, { as: bob })).body.owner_id, bob.id);
  });

  test('two owners who leave at the same time leave one behind', async () => {
    for (let round = 0; round < 10; round++) {
      const org = await cloud.organization(ada);
      const bob = await cloud.member(ada, org, 'owner');
      const leave = (person: Person) =>
        cloud.call('DELETE', `/organizations/${org}/members/${person.id}`, { as: person });
      const statuses = (await Promise.all([leave(ada), leave(bob)])).map(({ status }) => `${status}`).sort();
      assert.deepEqual(statuses, ['204', '409']);
    }
  });

  test('the audit tells who did what, newest first, to those who manage', async () => {
    const org = await cloud.organization(ada);
    const viewer = await cloud.member(ada, org, 'viewer');
    await cloud.site(ada, org);
    const { body } = await cloud.call('GET', `/organizations/${org}/audit`, { as: ada });
    assert.deepEqual(
      body.map((entry: { action: string }) => entry.action),
      ['site.created', 'invitation.accepted', 'invitation.created', 'organization.created'],
    );
    assert.equal(body[0].actor, ada.id);
    assert.deepEqual(body[1].details, { role: 'viewer', invited_by: ada.id });
    assert.equal(body[1].actor, viewer.id);
    assert.equal((await cloud.call('GET', `/organizations/${org}/audit`, { as: viewer })).status, 403);
  });

  test('members, owners, inviters and the audit have names, and a person who left keeps theirs in the audit', async () => {
    const [eva, bo] = [await named('Eva'), await named('Bo')];
    const org = await cloud.organization(eva);
    const site = await cloud.site(eva, org);
    const secret = await cloud.invite(eva, org, 'admin');
    const open = (await cloud.call('GET', `/organizations/${org}/invitations`, { as: eva })).body;
    assert.deepEqual([open[0].invited_by, open[0].invited_by_name], [eva.id, 'Eva']);
    const joined = await cloud.call('POST', `/invitations/${secret}/accept`, { as: bo });
    assert.deepEqual([joined.body.identity_id, joined.body.name], [bo.id, 'Bo']);
    const list = (await cloud.call('GET', `/organizations/${org}/members`, { as: bo })).body;
    assert.deepEqual(new Set(list.map(({ name }: { name: string }) => name)), new Set(['Eva', 'Bo']));
    assert.equal((await cloud.call('GET', `/organizations/${org}`, { as: bo })).body.owner_name, 'Eva');
    await cloud.call('PUT', `/sites/${site}`, { as: bo, body: { name: 'Cabin' } });
    await cloud.call('DELETE', `/sites/${site}`, { as: bo });
    await cloud.call('DELETE', `/organizations/${org}/members/${bo.id}`, { as: bo });
    const { body: entries } = await cloud.call('GET', `/organizations/${org}/audit?limit=3`, { as: eva });
    const shown = entries.map((entry: Record<string, string>) => [entry.action, entry.actor_name, entry.object_name]);
    assert.deepEqual(shown, [
      ['member.removed', 'Bo', 'Bo'],
      ['site.deleted', 'Bo', 'Cabin'],
      ['site.changed', 'Bo', 'Cabin'],
    ]);
  });

  test('a gateway whose serial is the id of a stranger does not reveal the name of the stranger', async () => {
    const stranger = await named('Secret');
    const org = await cloud.organization(ada);
    await cloud.claim(ada, org, p256(stranger.id));
    const { body: entries } = await cloud.call('GET', `/organizations/${org}/audit?limit=1`, { as: ada });
    assert.deepEqual([entries[0].object, entries[0].object_name], [stranger.id, null]);
  });

  test('a gateway cannot hold organizations', async () => {
    const gateway = await cloud.person('gateway');
    const reply = await cloud.call('POST', '/organizations', { as: gateway, body: { name: 'Mine' } });
    assert.equal(reply.status, 403);
  });
});
