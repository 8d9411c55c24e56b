import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { p256 } from '#test/cloud/people.ts';

for (const { engine, skip } of engines) {
  describe(`releases on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let org: string;
    before(async () => {
      cloud = await openCloud({ engine });
      ada = await cloud.person();
      org = await cloud.organization(ada);
    });
    after(() => cloud.close());

    test('a message that was signed before a release, and never used, does not undo it', async () => {
      const gateway = await cloud.claim(ada, org, p256());
      cloud.clock.advance(1000);
      const spare = cloud.claimOf(ada, org, gateway);
      cloud.clock.advance(1000);
      assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada })).status, 204);
      const { status, body } = await cloud.call('POST', '/gateways/claim', { as: ada, body: spare });
      assert.deepEqual([status, body.error], [403, 'claim_expired']);
      assert.equal((await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).status, 404);
    });
  });
}
