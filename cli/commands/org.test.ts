import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Invitation, Membership, NewInvitation } from '#contract/cloud/invitations.ts';
import type { AuditEntry, Member, Organization } from '#contract/cloud/organizations.ts';
import { openPlatform } from '../testing/people.ts';

suite('organizations', async () => {
  const platform = await openPlatform();
  after(() => platform.close());

  test('one is created, listed with its id before its name, and deleted after a question', async () => {
    const ada = await platform.person();
    const made = await ada.result<Organization>('org', 'create', 'Home');
    const { out } = await ada.run('org', 'list');
    assert.match(out, new RegExp(`^id +name .+\\n${made.id} +Home +${ada.id} +20.+\\n$`));
    const asked = await ada.run('org', 'delete', 'Home');
    assert.equal(asked.code, 2);
    assert.match(
      asked.err,
      /^This deletes Home \(org-.+\) for all its members\. There is no terminal to confirm this on/,
    );
    assert.deepEqual(await ada.result('org', 'delete', 'Home', '--yes'), { id: made.id, deleted: true });
    assert.deepEqual(await ada.result('org', 'list'), []);
  });

  test('members come, change their role, are seen by it, and go', async () => {
    const [ada, bob] = await Promise.all([platform.person(), platform.person()]);
    await ada.result('org', 'create', 'Home');
    const stranger = await ada.run('org', 'add-member', bob.id, 'viewer');
    assert.equal(stranger.code, 1);
    assert.match(stranger.err, /invite the person/);
    const { url } = await ada.result<NewInvitation>('org', 'invite', 'viewer', '--name', 'Bob');
    const [open] = await ada.result<Invitation[]>('org', 'invitations');
    assert.deepEqual([open?.role, open?.name], ['viewer', 'Bob']);
    const asked = await bob.run('org', 'join', url);
    assert.match(asked.err, /^You will join Home as viewer\. There is no terminal to confirm this on/);
    assert.equal((await bob.result<Membership>('org', 'join', url, '--yes')).role, 'viewer');
    const again = await bob.run('org', 'join', url, '--yes');
    assert.deepEqual([again.code, again.err.includes('ask for a new one')], [1, true]);
    assert.deepEqual(
      new Map((await ada.result<Member[]>('org', 'members')).map(({ identity_id, role }) => [identity_id, role])),
      new Map([
        [ada.id, 'owner'],
        [bob.id, 'viewer'],
      ]),
    );
    const refused = await bob.run('org', 'audit', 'Home');
    assert.equal(refused.code, 1);
    assert.equal((await ada.result<Member>('org', 'set-role', bob.id, 'admin', '--org', 'Home')).role, 'admin');
    assert.equal((await bob.run('org', 'audit', 'Home')).code, 0);
    assert.equal((await bob.run('org', 'remove-member', bob.id, '--yes')).code, 0);
    assert.deepEqual(await bob.result('org', 'list'), []);
  });

  test('an invitation is declined, or withdrawn, and its secret is sent to no other platform', async () => {
    const [ada, bob] = await Promise.all([platform.person(), platform.person()]);
    await ada.result('org', 'create', 'Home');
    const declined = await ada.result<NewInvitation>('org', 'invite', 'admin');
    assert.deepEqual(await bob.result('org', 'decline', declined.url), { declined: true });
    const { id, url } = await ada.result<NewInvitation>('org', 'invite', 'admin');
    const elsewhere = await bob.run('org', 'join', url.replace(/^http:\/\/[^/]+/, 'https://other.example'));
    assert.deepEqual([elsewhere.code, elsewhere.err.startsWith('The link is for https://other.example, ')], [2, true]);
    await ada.result('org', 'withdraw', id);
    assert.deepEqual(await ada.result('org', 'invitations'), []);
    assert.match((await bob.run('org', 'join', url.split('/').at(-1)!)).err, /withdrawn/);
    assert.equal((await bob.run('org', 'join', 'https://other.example/')).code, 2);
  });

  test('an organization to which somebody was only added is never chosen for them', async () => {
    const [ada, bob] = await Promise.all([platform.person(), platform.person()]);
    await ada.result('org', 'create', 'Club');
    await bob.result('org', 'join', (await ada.result<NewInvitation>('org', 'invite', 'viewer')).url, '--yes');
    const trap = await ada.result<Organization>('org', 'create', 'Trap');
    await ada.result('site', 'create', 'Stage', '--org', 'Trap');
    await ada.result('org', 'add-member', bob.id, 'admin', '--org', 'Trap');
    await bob.result('org', 'remove-member', bob.id, '--org', 'Club', '--yes');

    for (const args of [
      ['site', 'create', 'Mine'],
      ['org', 'members'],
      ['site', 'show'],
    ]) {
      const { code, err } = await bob.run(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(err, /added to an organization without an invitation.*choose one/);
    }
    assert.equal((await bob.run('org', 'members', trap.id)).code, 0);
    await bob.result('org', 'create', 'Mine');
    assert.equal((await bob.result<{ org_id: string }>('site', 'create', 'House')).org_id === trap.id, false);
  });

  test('the audit shows the newest entries first, as many as are asked for', async () => {
    const ada = await platform.person();
    await ada.result('org', 'create', 'Home');
    for (const name of ['One', 'Two', 'Three']) await ada.result('site', 'create', name);
    const entries = await ada.result<AuditEntry[]>('org', 'audit', '--last', '2');
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['site.created', 'site.created'],
    );
    assert.equal(typeof entries[0]!.details, 'object');
    const { out } = await ada.run('org', 'audit');
    assert.match(out, /organization\.created/);
  });

  const bob = await platform.person();
  for (const { args, code, says } of [
    { args: 'org add-member idt-1 vewer', code: 2, says: /^<role> must be one of .+; did you mean viewer\?\n/ },
    { args: 'org add-member idt-1', code: 2, says: /^Missing argument <role>\.\n/ },
    { args: 'org audit --last none', code: 2, says: /^--last must be a whole number from 1\.\n/ },
    {
      args: 'org members',
      code: 1,
      says: /^You have no organization yet; create one with: ohmstead org create <name>\n$/,
    },
    { args: 'org add-membr x viewer', code: 2, says: /^Unknown command .+; did you mean "org add-member"\?\n/ },
  ]) {
    test(`"${args}" is answered with ${says.source}`, async () => {
      const outcome = await bob.run(...args.split(' '));
      assert.equal(outcome.code, code, outcome.err);
      assert.match(outcome.err, says);
    });
  }

  test('of several organizations one must be named; a misspelt name is answered with the nearest', async () => {
    const ada = await platform.person();
    const [home, office] = [
      await ada.result<Organization>('org', 'create', 'Home'),
      await ada.result<Organization>('org', 'create', 'Office'),
    ];
    const several = await ada.run('org', 'members');
    assert.equal(several.code, 1);
    assert.match(several.err, /^You have several organizations\. Choose one by its name or id; --help shows how:\n/);
    for (const { id, name } of [home, office]) assert.ok(several.err.includes(`  ${id}  ${name}\n`));
    const misspelt = await ada.run('org', 'members', 'Hoem');
    assert.deepEqual([misspelt.code, misspelt.err], [1, 'No organization is named "Hoem"; did you mean "Home"?\n']);
    assert.equal((await ada.run('org', 'members', office.id)).code, 0);
  });
});
