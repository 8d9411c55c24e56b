import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Organization } from '#contract/cloud/organizations.ts';
import { createSite, type Site, updateSite } from '#contract/cloud/sites.ts';
import { openPlatform } from '../testing/people.ts';

suite('sites', async () => {
  const platform = await openPlatform();
  after(() => platform.close());

  const owner = async () => {
    const ada = await platform.person();
    await ada.result<Organization>('org', 'create', 'Home');
    return ada;
  };

  test('every field that the interface lets people set is an option', async () => {
    for (const [words, route, others] of [
      ['create', createSite, ['org_id', 'name']],
      ['set', updateSite, []],
    ] as const) {
      const { out } = await platform.stranger().run('site', words, '--help');
      for (const field of Object.keys(route.body.properties).filter((name) => !others.some((other) => other === name)))
        assert.match(out, new RegExp(`  --${field.replaceAll('_', '-')} (TEXT|NUMBER) +\\S`), field);
    }
  });

  test('one is created with all its fields, shown, changed, and has fields taken away', async () => {
    const ada = await owner();
    const fields = '--latitude -33.87 --longitude=151.2 --country AU --price-area NSW1 --tariff-id t1 --fuse-a 63';
    const made = await ada.result<Site>('site', 'create', 'House', ...fields.split(' '));
    assert.deepEqual(
      [made.latitude, made.longitude, made.timezone, made.country, made.price_area, made.tariff_id, made.fuse_a],
      [-33.87, 151.2, 'Australia/Sydney', 'AU', 'NSW1', 't1', 63],
    );
    const shown = await ada.run('site', 'show');
    assert.match(shown.out, /^id +sit-.+\n(.+\n)*price_area +NSW1\n(.+\n)*\nNo devices\.\n$/);

    const changed = await ada.result<Site>(
      'site',
      'set',
      'House',
      '--name',
      'The house',
      '--fuse-a',
      '25.5',
      '--unset',
      'tariff-id,country',
    );
    assert.deepEqual([changed.name, changed.fuse_a], ['The house', 25.5]);
    assert.deepEqual([changed.tariff_id, changed.country], [undefined, undefined]);
    assert.equal(changed.price_area, 'NSW1');
    const { out } = await ada.run('site', 'list', '--org', 'Home');
    assert.match(out, new RegExp(`^id +name .+\\n${made.id} +The house +org-.+ +Australia/Sydney +NSW1\\n$`));
    assert.equal((await ada.run('site', 'delete', 'The house', '--yes')).code, 0);
    assert.deepEqual(await ada.result('site', 'list'), []);
  });

  test('a site without a position has the time zone of the machine, and the command says so', async () => {
    const ada = await owner();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { code, out } = await ada.run('site', 'create', 'House');
    assert.equal(code, 0);
    assert.match(
      out,
      new RegExp(
        `^Created House \\(sit-.+\\)\\. Its days begin at midnight in ${timeZone}; site set changes the time zone\\.\\n$`,
      ),
    );
    assert.equal((await ada.result<Site[]>('site', 'list'))[0]!.timezone, timeZone);
    const located = await ada.run('site', 'create', 'Cabin', '--latitude', '-33.87', '--longitude', '151.2');
    assert.match(located.out, /midnight in Australia\/Sydney;/);
  });

  test('of two sites one must be named, by its id when their names are alike', async () => {
    const ada = await owner();
    const one = await ada.result<Site>('site', 'create', 'House');
    await ada.result<Site>('site', 'create', 'House');
    const unnamed = await ada.run('site', 'show');
    assert.equal(unnamed.code, 1);
    assert.match(
      unnamed.err,
      /^You have several sites\. Choose one by its name or id; --help shows how:\n {2}sit-.+ {2}House\n/,
    );
    const alike = await ada.run('site', 'show', 'House');
    assert.match(alike.err, /^Several sites are named "House"; choose one by its id:\n/);
    assert.equal((await ada.result<Site>('site', 'show', one.id)).id, one.id);
  });

  const bob = await owner();
  await bob.result('site', 'create', 'House');
  for (const { args, code, says } of [
    { args: 'site show Hosue', code: 1, says: /^No site is named "Hosue"; did you mean "House"\?\n$/ },
    { args: 'site show Palace', code: 1, says: /^No site is named "Palace"\.\n$/ },
    { args: 'site set House', code: 2, says: /^Nothing to change: give at least one option\.\n/ },
    { args: 'site set House --unset fuse', code: 2, says: /^A site has no field fuse to clear/ },
    { args: 'site set House --unset fuse_a', code: 2, says: /; did you mean fuse-a\?\n/ },
    { args: 'site set House --latitude north', code: 2, says: /^--latitude must be a number, not "north"\.\n/ },
    { args: 'site set House --latitude 91 --longitude 0', code: 1, says: /latitude.*<= 90/ },
    { args: 'site set House --country Sweden', code: 1, says: /^--country must be ISO 3166-1 alpha-2\.\n$/ },
    {
      args: 'site delete House',
      code: 2,
      says: /^This deletes House \(sit-.+\)\. There is no terminal to confirm this on/,
    },
  ]) {
    test(`"${args}" is answered with ${says.source}`, async () => {
      const outcome = await bob.run(...args.split(' '));
      assert.equal(outcome.code, code, outcome.err);
      assert.match(outcome.err, says);
    });
  }

  test('without an organization, or without a site, it says how to make one', async () => {
    const ada = await platform.person();
    assert.match((await ada.run('site', 'create', 'House')).err, /create one with: ohmstead org create <name>\n$/);
    await ada.result('org', 'create', 'Home');
    assert.match(
      (await ada.run('site', 'show')).err,
      /^You have no site yet; create one with: ohmstead site create <name>\n$/,
    );
  });

  test('the sites of others are not there', async () => {
    const [ada, eve] = await Promise.all([owner(), owner()]);
    const { id } = await ada.result<Site>('site', 'create', 'House');
    await eve.result('site', 'create', 'Den');
    assert.deepEqual([(await eve.run('site', 'show', id)).err], [`No site is named "${id}".\n`]);
  });
});
