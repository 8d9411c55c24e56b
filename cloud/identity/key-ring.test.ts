import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { bumpAccessVersion, deleteExpiredTokens, listSigningKeys, revokeToken } from '#cloud/store/tokens.ts';
import { dayMs } from '#contract/time.ts';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { openKeyRing, rotateKeys } from './key-ring.ts';

for (const { engine, skip } of engines) {
  describe(`signing keys on ${engine}`, { skip }, () => {
    test('a rotation, made elsewhere, is noticed: old tokens hold for their life, new ones bear the published next key', async () => {
      const cloud = await openCloud({ engine });
      try {
        await cloud.start();
        const published = async (): Promise<string[]> =>
          (await cloud.call('GET', '/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid);
        const ada = await cloud.person();
        const before = await published();
        assert.equal(before.length, 2);
        await cloud.store.write(({ db }) => rotateKeys(db, cloud.clock.now(), dayMs));
        await until(async () => (await published()).length === 3);

        assert.equal((await cloud.call('GET', '/identity/me', { as: ada })).status, 200);
        const renewed = { ...ada, token: await cloud.signIn(ada) };
        const { kid } = decodeProtectedHeader(renewed.token);
        assert.ok(before.includes(kid!), 'the key was published before it signed');
        assert.notEqual(kid, decodeProtectedHeader(ada.token).kid);

        cloud.clock.advance(dayMs - 1000);
        await cloud.store.write(({ db }) => deleteExpiredTokens(db, cloud.clock.now()));
        assert.equal((await listSigningKeys(cloud.store.db)).length, 3, 'a key is kept as long as its last token');

        cloud.clock.advance(62_000);
        await cloud.store.write(async ({ db }) => {
          await deleteExpiredTokens(db, cloud.clock.now());
          await bumpAccessVersion(db);
        });
        await until(async () => (await published()).length === 2);
        assert.equal((await cloud.call('GET', '/identity/me', { as: ada })).status, 401);
      } finally {
        await cloud.close();
      }
    });

    test('each key signs for its whole time, also when several processes look at once', async () => {
      const { store, clock, close } = await openCloud({ engine });
      try {
        const rings = await Promise.all([1, 2].map(() => openKeyRing(store, { clock, tokenLifeMs: dayMs })));
        const rotatedAfter = async (ms: number): Promise<number> => {
          clock.advance(ms);
          const rotated = await Promise.all(rings.map(({ rotateAfter }) => rotateAfter(30 * dayMs)));
          return rotated.filter(Boolean).length;
        };
        assert.equal(await rotatedAfter(30 * dayMs), 0);
        assert.equal(await rotatedAfter(1), 1);
        assert.equal(await rotatedAfter(600_000), 0);
        assert.equal(await rotatedAfter(30 * dayMs), 1);
      } finally {
        await close();
      }
    });

    test('a token revoked by another process ends within a second', async () => {
      const cloud = await openCloud({ engine });
      try {
        await cloud.start();
        const ada = await cloud.person();
        assert.equal((await cloud.call('GET', '/identity/me', { as: ada })).status, 200);
        const { jti } = JSON.parse(Buffer.from(ada.token.split('.')[1]!, 'base64url').toString());
        await cloud.store.write(async ({ db }) => {
          await revokeToken(db, { jti, expires_at: cloud.clock.now() + dayMs });
          await bumpAccessVersion(db);
        });
        await until(async () => (await cloud.call('GET', '/identity/me', { as: ada })).status === 401);
      } finally {
        await cloud.close();
      }
    });
  });
}
