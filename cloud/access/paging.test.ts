import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';

const filteredLists = cloudRoutes.filter(({ query }: Route) => query && 'org_id' in query.properties);

for (const { engine, skip } of engines) {
  describe(`lists on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    const sites: string[] = [];
    before(async () => {
      cloud = await openCloud({ engine });
      ada = await cloud.person();
      const bob = await cloud.person();
      const theirs = await cloud.organization(bob);
      for (const count of [3, 0, 4]) {
        const org = await cloud.organization(ada);
        for (let index = 0; index < count; index++) {
          sites.push(await cloud.site(ada, org));
          await cloud.site(bob, theirs);
        }
      }
    });
    after(() => cloud.close());

    async function walk(first: string): Promise<string[][]> {
      const pages: string[][] = [];
      for (let url: string | undefined = first; url; ) {
        const { status, body, headers } = await cloud.call('GET', url, { as: ada });
        assert.equal(status, 200);
        pages.push(body.map(({ id }: { id: string }) => id));
        url = headers.link?.match(/^<(.+)>; rel="next"$/)?.[1];
      }
      return pages;
    }

    for (const limit of [1, 2, 3, 4, 6, 7, 100]) {
      test(`pages of ${limit} show every site of the caller once, and nobody else's`, async () => {
        const pages = await walk(`/sites?limit=${limit}`);
        assert.deepEqual(pages.flat().sort(), [...sites].sort());
        assert.equal(pages.length, Math.ceil(sites.length / limit));
      });
    }

    test('without a limit a page has a hundred', async () => {
      assert.equal((await walk('/sites')).length, 1);
    });

    test('a filter by organization is kept from page to page', async () => {
      const [{ org_id }] = (await cloud.call('GET', '/sites', { as: ada })).body;
      const pages = await walk(`/sites?org_id=${org_id}&limit=2`);
      assert.equal(pages.flat().length, 3);
    });

    test('the organizations come in pages too', async () => {
      assert.deepEqual(
        (await walk('/organizations?limit=2')).map((page) => page.length),
        [2, 1],
      );
    });

    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=',
      'limit=1&limit=2',
      'cursor=%2B',
      'cursor=AAAA',
      'pagesize=3',
    ]) {
      test(`?${query} is malformed`, async () => {
        assert.equal((await cloud.call('GET', `/sites?${query}`, { as: ada })).status, 400);
      });
    }

    for (const list of filteredLists) {
      test(`GET ${list.path}: an empty org_id does not filter, an unknown or invisible one returns nothing`, async () => {
        const stranger = await cloud.person();
        const theirs = await cloud.organization(stranger);
        await cloud.site(stranger, theirs);
        await cloud.claim(stranger, theirs);
        const all = await cloud.call('GET', list.path, { as: stranger });
        assert.deepEqual([all.status, all.body.length], [200, 1]);
        assert.deepEqual((await cloud.call('GET', `${list.path}?org_id=`, { as: stranger })).body, all.body);
        assert.deepEqual((await cloud.call('GET', `${list.path}?org_id=${theirs}`, { as: stranger })).body, all.body);
        for (const id of [theirs, 'org-missing', '%20', 'a,b']) {
          const { status, body, headers } = await cloud.call('GET', `${list.path}?org_id=${id}`, { as: ada });
          assert.deepEqual([status, body, headers.link], [200, [], undefined], id);
        }
        assert.equal((await cloud.call('GET', `${list.path}?org_id=${theirs}`)).status, 401);
      });

      test(`GET ${list.path}: a removed member sees nothing, even after earlier requests`, async () => {
        const owner = await cloud.person();
        const org = await cloud.organization(owner);
        await cloud.site(owner, org);
        await cloud.claim(owner, org);
        const path = `${list.path}?org_id=${org}`;
        const guest = await cloud.member(owner, org, 'viewer');
        assert.equal((await cloud.call('GET', path, { as: guest })).body.length, 1);
        await cloud.call('DELETE', `/organizations/${org}/members/${guest.id}`, { as: owner });
        assert.deepEqual((await cloud.call('GET', path, { as: guest })).body, []);
      });
    }
  });
}
