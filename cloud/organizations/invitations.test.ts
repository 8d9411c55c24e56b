import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Role } from '#contract/access.ts';
import { withoutSecrets } from '#contract/cloud/invitations.ts';
import { dayMs } from '#contract/time.ts';
import { problemSender } from '#lib/http/problem.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import type { Person } from '#test/cloud/open-cloud.ts';
import { disableIdentity } from '../operator/identities.ts';

onEachEngine('invitations', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada, 'Our street');
  const path = `/organizations/${org}/invitations`;
  const invite = (as: Person, body: object) => cloud.call('POST', path, { as, body });
  const answer = (secret: string, how: 'accept' | 'decline', as: Person) =>
    cloud.call('POST', `/invitations/${secret}/${how}`, { as });
  const look = (secret: string, as: Person) => cloud.call('GET', `/invitations/${secret}`, { as });
  const roleOf = async ({ id }: Person): Promise<Role | undefined> =>
    (await cloud.call('GET', `/organizations/${org}/members`, { as: ada })).body.find(
      (member: { identity_id: string }) => member.identity_id === id,
    )?.role;

  test('a person opens the link, sees what it is and becomes a member, once', async () => {
    const { status, body } = await invite(ada, { role: 'operator', name: 'Bo next door' });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'id', 'role', 'url']);
    assert.equal(Date.parse(body.expires_at), cloud.clock.now() + 7 * dayMs);
    const secret = /^http:\/\/cloud\.test\/app\/invitations\/([\w-]{43})$/.exec(body.url)![1]!;

    const [bo, eve] = [await cloud.person(), await cloud.person()];
    const seen = await look(secret, bo);
    assert.deepEqual(
      [seen.status, seen.body],
      [200, { organization_name: 'Our street', role: 'operator', expires_at: body.expires_at }],
    );
    const joined = await answer(secret, 'accept', bo);
    assert.equal(joined.status, 200);
    assert.deepEqual([joined.body.org_id, joined.body.identity_id, joined.body.role], [org, bo.id, 'operator']);
    assert.equal(await roleOf(bo), 'operator');
    for (const person of [bo, eve]) {
      for (const how of ['accept', 'decline'] as const) {
        const again = await answer(secret, how, person);
        assert.deepEqual([again.status, again.body.error], [410, 'gone']);
      }
      assert.equal((await look(secret, person)).status, 410);
    }
    assert.equal(await roleOf(eve), undefined);
    const [entry] = (await cloud.call('GET', `/organizations/${org}/audit`, { as: ada })).body;
    assert.deepEqual([entry.action, entry.actor, entry.object], ['invitation.accepted', bo.id, body.id]);
  });

  test('of parallel answers one wins', async () => {
    const secret = await cloud.invite(ada, org, 'viewer');
    const people = await Promise.all(Array.from({ length: 6 }, () => cloud.person()));
    const replies = await Promise.all(people.map((person) => answer(secret, 'accept', person)));
    assert.deepEqual(replies.map(({ status }) => `${status}`).sort(), ['200', ...new Array(5).fill('410')]);
    const roles = await Promise.all(people.map(roleOf));
    assert.equal(roles.filter(Boolean).length, 1);
  });

  test('a declined, withdrawn or expired invitation is gone; an unknown one is not there', async () => {
    const bo = await cloud.person();
    const declined = await cloud.invite(ada, org, 'viewer');
    assert.equal((await answer(declined, 'decline', bo)).status, 204);

    const { body } = await invite(ada, { role: 'viewer' });
    const withdrawn = body.url.split('/').at(-1);
    assert.equal((await cloud.call('DELETE', `${path}/${body.id}`, { as: ada })).status, 204);
    assert.equal((await cloud.call('DELETE', `${path}/${body.id}`, { as: ada })).status, 410);
    assert.equal((await cloud.call('DELETE', `${path}/inv-missing`, { as: ada })).status, 404);

    const expiring = await cloud.invite(ada, org, 'viewer');
    cloud.clock.advance(7 * dayMs);
    for (const person of [ada, bo]) person.token = await cloud.signIn(person);
    for (const secret of [declined, withdrawn, expiring]) {
      assert.equal((await look(secret, bo)).status, 410);
      assert.equal((await answer(secret, 'accept', bo)).body.error, 'gone');
    }
    for (const secret of ['x', 'A'.repeat(43), '%00']) {
      assert.ok([400, 404].includes((await look(encodeURIComponent(secret), bo)).status), secret);
    }
    assert.equal((await look('A'.repeat(43), bo)).status, 404);
    assert.equal(await roleOf(bo), undefined);
  });

  test('only owners invite owners and withdraw such invitations, and below admin nobody invites', async () => {
    const admin = await cloud.member(ada, org, 'admin');
    const operator = await cloud.member(ada, org, 'operator');
    assert.equal((await invite(admin, { role: 'owner' })).status, 403);
    assert.equal((await invite(admin, { role: 'admin' })).status, 201);
    assert.equal((await invite(operator, { role: 'viewer' })).status, 403);
    assert.equal((await cloud.call('GET', path, { as: operator })).status, 403);
    const { body } = await invite(ada, { role: 'owner' });
    assert.equal((await cloud.call('DELETE', `${path}/${body.id}`, { as: admin })).status, 403);
    assert.equal((await cloud.call('DELETE', `${path}/${body.id}`, { as: ada })).status, 204);
  });

  test('an invitation ends with the right of its inviter', async () => {
    const bo = await cloud.person();
    const change = (person: Person, role: Role) =>
      cloud.call('PUT', `/organizations/${org}/members/${person.id}`, { as: ada, body: { role } });
    const endings: [Role, Role, (inviter: Person) => Promise<unknown>][] = [
      ['admin', 'viewer', (inviter) => change(inviter, 'operator')],
      ['owner', 'owner', (inviter) => change(inviter, 'admin')],
      ['admin', 'viewer', ({ id }) => cloud.call('DELETE', `/organizations/${org}/members/${id}`, { as: ada })],
      ['admin', 'viewer', ({ id }) => disableIdentity(id, cloud)],
    ];
    for (const [role, to, end] of endings) {
      const inviter = await cloud.member(ada, org, role);
      const secret = await cloud.invite(inviter, org, to);
      assert.equal((await look(secret, bo)).status, 200);
      await end(inviter);
      assert.equal((await answer(secret, 'accept', bo)).status, 410);
    }
    const inviter = await cloud.member(ada, org, 'owner');
    const [lower, owner] = [await cloud.invite(inviter, org, 'viewer'), await cloud.invite(inviter, org, 'owner')];
    await change(inviter, 'admin');
    await change(inviter, 'owner');
    assert.equal((await look(owner, bo)).status, 410, 'it does not return with the right');
    assert.equal((await look(lower, bo)).status, 200);
  });

  test('accepting changes nothing for an existing member and leaves the invitation open', async () => {
    const owner = await cloud.member(ada, org, 'owner');
    const secret = await cloud.invite(ada, org, 'viewer');
    const reply = await answer(secret, 'accept', owner);
    assert.deepEqual([reply.status, reply.body.error], [409, 'conflict']);
    assert.match(reply.body.detail, /with the role owner/);
    assert.equal(await roleOf(owner), 'owner');
    assert.equal((await answer(secret, 'accept', await cloud.person())).status, 200);
  });

  test('a list shows open invitations without their secrets, and the database has only hashes', async () => {
    const other = await cloud.organization(ada, 'Other');
    const secret = await cloud.invite(ada, other, 'viewer');
    const { body } = await cloud.call('GET', `/organizations/${other}/invitations`, { as: ada });
    assert.deepEqual(
      body.map(({ role, name, invited_by }: Record<string, unknown>) => ({ role, name, invited_by })),
      [{ role: 'viewer', name: null, invited_by: ada.id }],
    );
    const hash = createHash('sha256').update(secret).digest('base64url');
    const rows = JSON.stringify(await cloud.store.db.selectFrom('invitations').selectAll().execute());
    const audit = JSON.stringify(await cloud.store.db.selectFrom('audit').selectAll().execute());
    assert.ok(rows.includes(hash));
    for (const text of [rows, audit, JSON.stringify(body)]) assert.ok(!text.includes(secret));
    await cloud.call('DELETE', `/organizations/${other}`, { as: ada });
    assert.equal((await look(secret, await cloud.person())).status, 410);
  });

  test('a gateway is not invited, and nobody without a token', async () => {
    const secret = await cloud.invite(ada, org, 'viewer');
    assert.equal((await answer(secret, 'accept', await cloud.person('gateway'))).status, 403);
    assert.equal((await cloud.call('GET', `/invitations/${secret}`)).status, 401);
    assert.equal((await cloud.call('POST', `/invitations/${secret}/accept`)).status, 401);
  });

  test('a member can be added directly only by a person who shares an organization with them', async () => {
    const [bo, stranger] = [await cloud.member(ada, org, 'viewer'), await cloud.person()];
    const club = await cloud.organization(ada, 'Club');
    const add = (id: string) =>
      cloud.call('POST', `/organizations/${club}/members`, { as: ada, body: { identity_id: id, role: 'viewer' } });
    assert.equal((await add(bo.id)).status, 201);
    const refused = [await add(stranger.id), await add('idt-missing')];
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.error], [403, 'forbidden']);
      assert.match(body.detail, /invite the person/);
    }
    assert.equal(refused[0]!.body.detail, refused[1]!.body.detail, 'nobody learns which identities exist');

    const joined = async (person: Person): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await cloud.call('GET', '/organizations', { as: person })).body.map(
          ({ name, joined }: Record<string, string>) => [name, joined],
        ),
      );
    assert.deepEqual(await joined(bo), { 'Our street': 'accepted', Club: 'added' });
    assert.equal((await joined(ada)).Club, 'created');
  });
});

test('the log of a failed request does not contain the secrets in its path, whichever handler logs it', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const app = createServer({ log, apiVersion: '1', redactPath: withoutSecrets });
  const fail = (): never => {
    throw new Error('broken');
  };
  for (const path of ['/invitations/:secret', '/app/*']) app.get(path, fail);
  app.register(async (scope) => {
    scope.setErrorHandler(problemSender('oauth')); // as the routes of OAuth and of the broker do
    for (const path of ['/oauth/authorize/:uid', '/internal/invitations/:secret']) scope.get(path, fail);
  });
  const paths = ['/invitations/', '/app/invitations/', '/oauth/authorize/', '/internal/invitations/'];
  for (const path of paths) {
    assert.equal((await app.inject(`${path}TOPSECRET?x=TOPSECRET`)).statusCode, 500);
    const line = lines.at(-1) ?? '';
    assert.ok(line.includes(`${path}[redacted]`), line);
    assert.ok(!line.includes('TOPSECRET'), line);
  }
  assert.equal(lines.length, paths.length);
  assert.equal(withoutSecrets('/oauth/authorize/page'), '/oauth/authorize/page');
});
