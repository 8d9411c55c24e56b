import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { p256 } from '#test/cloud/people.ts';

test('with GATEWAY_TRUST=listed only serials that prove themselves or are listed are claimed', async () => {
  const cloud = await openCloud({ env: { GATEWAY_TRUST: 'listed' } });
  try {
    const ada = await cloud.person();
    const org = await cloud.organization(ada);
    const own = await cloud.call('POST', '/gateways/claim', { as: ada, body: cloud.claimOf(ada, org, p256()) });
    assert.equal(own.status, 201);
    const unknown = await cloud.call('POST', '/gateways/claim', {
      as: ada,
      body: cloud.claimOf(ada, org, p256('acme-1')),
    });
    assert.equal(unknown.status, 403);
  } finally {
    await cloud.close();
  }
});

test('a full organization takes no more gateways, and keeps those it has', async () => {
  const cloud = await openCloud({ env: { GATEWAYS_PER_ORGANIZATION: '1' } });
  try {
    const ada = await cloud.person();
    const org = await cloud.organization(ada);
    const gateway = await cloud.claim(ada, org);
    const { listed, online } = await cloud.store.db.selectFrom('gateways').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([listed, online], [0, 0]);
    await cloud.claim(ada, org, gateway);
    const body = cloud.claimOf(ada, org, p256());
    const { status } = await cloud.call('POST', '/gateways/claim', { as: ada, body });
    assert.equal(status, 409);
  } finally {
    await cloud.close();
  }
});
