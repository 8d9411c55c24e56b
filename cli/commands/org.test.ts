import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
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
    assert.match(asked.err, /^This deletes Home \(org-.+\) for all its members\. There is no terminal to ask on/);
    assert.deepEqual(await ada.result('org', 'delete', 'Home', '--yes'), { id: made.id, deleted: true });
    assert.deepEqual(await ada.result('org', 'list'), []);
  });

  test('members come, change their role, are seen by it, and go', async () => {
    const [ada, bob] = await Promise.all([platform.person(), platform.person()]);
    await ada.result('org', 'create', 'Home');
    assert.equal((await ada.run('org', 'add-member', bob.id, 'viewer')).code, 0);
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
    { args: 'org add-member idt-1 vewer', code: 2, says: /^<role> is one of .+; did you mean viewer\?\n/ },
    { args: 'org add-member idt-1', code: 2, says: /^<role> is missing\.\n/ },
    { args: 'org audit --last none', code: 2, says: /^--last is a whole number from 1\.\n/ },
    {
      args: 'org members',
      code: 1,
      says: /^There is no organization yet; make one with: ohmstead org create <name>\n$/,
    },
    { args: 'org add-membr x viewer', code: 2, says: /^There is no command .+; did you mean "org add-member"\?\n/ },
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
    assert.match(several.err, /^There are several organizations; say which one, by its id:\n/);
    for (const { id, name } of [home, office]) assert.ok(several.err.includes(`  ${id}  ${name}\n`));
    const misspelt = await ada.run('org', 'members', 'Hoem');
    assert.deepEqual([misspelt.code, misspelt.err], [1, 'There is no organization "Hoem"; did you mean "Home"?\n']);
    assert.equal((await ada.run('org', 'members', office.id)).code, 0);
  });
});
