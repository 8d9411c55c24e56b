import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readEvents } from '#test/cloud/event-reader.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';

for (const { engine, skip } of engines) {
  describe(`access to the stream of a site on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let base: string;
    let ada: Person;
    let site: string;
    let other: string;
    before(async () => {
      cloud = await openCloud({ engine, env: { TOKEN_HOURS: '1' } });
      base = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
      await cloud.start();
      ada = await cloud.person();
      const org = await cloud.organization(ada);
      site = await cloud.site(ada, org);
      other = await cloud.site(ada, org);
    });
    after(() => cloud.close());

    const ticketFor = async (siteId: string): Promise<string> =>
      (await cloud.call('POST', '/stream/tickets', { as: ada, body: { site_id: siteId } })).body.ticket;
    const statusWith = async (siteId: string, ticket: string): Promise<number> =>
      (await cloud.call('GET', `/stream/sites/${siteId}?ticket=${ticket}`)).status;

    test('a ticket opens only the stream that it was issued for', async () => {
      const ticket = await ticketFor(site);
      assert.equal(await statusWith(other, ticket), 401);
      assert.equal(await statusWith(site, await ticketFor(site)), 200);
    });

    test('a ticket lasts for half a minute, to the millisecond', async () => {
      const [early, late] = [await ticketFor(site), await ticketFor(site)];
      cloud.clock.advance(29_999);
      assert.equal(await statusWith(site, early), 200);
      cloud.clock.advance(1);
      assert.equal(await statusWith(site, late), 401);
    });

    test('a stream ends with the token that opened it', async () => {
      const stream = await readEvents(`${base}/stream/sites/${site}`, {
        authorization: `Bearer ${ada.token}`,
      });
      assert.equal(stream.response.status, 200);
      cloud.clock.advance(3_600_000);
      await stream.ended();
      assert.deepEqual(stream.events.at(-1), { event: 'end', id: undefined, data: { reason: 'token_expired' } });
    });
  });
}

test('the open streams of an identity are limited; closing one makes room', async (t) => {
  const cloud = await openCloud({ env: { STREAMS_PER_IDENTITY: '2' } });
  t.after(() => cloud.close());
  const base = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  await cloud.start();
  const [ada, eve] = [await cloud.person(), await cloud.person()];
  const [adas, eves] = [await ownSite(cloud, ada), await ownSite(cloud, eve)];
  const follow = (as: Person, site: string) =>
    readEvents(`${base}/stream/sites/${site}`, { authorization: `Bearer ${as.token}` });

  const first = await follow(ada, adas);
  assert.equal((await follow(ada, adas)).response.status, 200);
  const refused = await cloud.call('GET', `/stream/sites/${adas}`, { as: ada });
  assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
  assert.match(refused.body.detail, /2 streams open/);
  assert.equal(refused.headers['retry-after'], '5');
  assert.equal((await follow(eve, eves)).response.status, 200);

  await first.close();
  await until(
    () => follow(ada, adas),
    ({ response }) => response.status === 200,
  );
});

const ownSite = async (cloud: TestCloud, owner: Person): Promise<string> =>
  cloud.site(owner, await cloud.organization(owner));
