import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { readSetting } from '../store/settings.ts';
import { revokeToken } from '../store/tokens.ts';
import { openKeyRing } from './key-ring.ts';
import { createSessions } from './sessions.ts';

test('a token that is revoked while it is looked up is not remembered', async () => {
  const cloud = await openCloud();
  try {
    const { store, clock } = cloud;
    const { token } = await cloud.person();
    const { jti, exp } = decodeJwt(token);
    const tokenLifeMs = 24 * 3_600_000;
    const keys = await openKeyRing(store, { clock, tokenLifeMs });
    const deploymentId = (await readSetting(store.db, 'deployment_id'))!;
    let asked = 0;
    const sessions = createSessions({
      store: {
        ...store,
        get db() {
          asked++;
          if (asked === 2) queueMicrotask(() => sessions.forget({ tokenId: jti! })); // the revocations were read, the answer is on its way
          return store.db;
        },
      },
      keys,
      clock,
      deploymentId,
      tokenLifeMs,
    });
    assert.ok(await sessions.authenticate(`Bearer ${token}`));
    await store.write(({ db }) => revokeToken(db, { jti: jti!, expires_at: exp! * 1000 }));
    await assert.rejects(async () => sessions.authenticate(`Bearer ${token}`), { code: 'unauthenticated' });
    assert.equal(asked, 4);
  } finally {
    await cloud.close();
  }
});
