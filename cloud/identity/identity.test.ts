import assert from 'node:assert/strict';
import { createHmac, createPublicKey, sign as signBytes } from 'node:crypto';
import { test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, SignJWT } from 'jose';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';

onEachEngine('identities', (cloud, engine) => {
  const register = (body: object) => cloud.call('POST', '/identity/register', { body });
  const challengeFor = async (publicKey: string): Promise<string> =>
    (await cloud.call('POST', '/auth/challenge', { body: { public_key: publicKey } })).body.challenge;
  const verify = (body: object) => cloud.call('POST', '/auth/verify', { body });

  test('an Ed25519 key becomes a user; the same key in another spelling is the same identity', async () => {
    const key = ed25519();
    assert.equal((await register({ public_key: ed25519().publicKey, name: null })).body.name, null);
    const first = await register({ public_key: key.publicKey, name: 'Ada' });
    assert.equal(first.status, 201);
    assert.equal(first.body.type, 'user');
    assert.match(first.body.identity_id, /^idt-[0-9a-f-]{36}$/);
    const hex = Buffer.from(key.publicKey, 'base64').toString('hex');
    const again = await register({ public_key: hex });
    assert.equal(again.status, 200);
    const { name, ...known } = first.body;
    assert.deepEqual([name, again.body], ['Ada', known], 'a known public key does not reveal the name');
    assert.equal((await register({ public_key: hex, type: 'developer' })).status, 409);
  });

  for (const { key, type } of [
    { key: ed25519, type: 'developer' },
    { key: p256, type: 'integration' },
  ]) {
    test(`the key of a ${type} is found again without its type`, async () => {
      const { publicKey } = key();
      const first = await register({ public_key: publicKey, type });
      const again = await register({ public_key: publicKey });
      assert.equal(again.status, 200);
      const { name, ...known } = first.body;
      assert.deepEqual(again.body, known);
    });
  }

  test('a key may come as PEM, with its line breaks', async () => {
    const key = ed25519();
    const pem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' });
    const reply = await register({ public_key: pem });
    assert.equal(reply.status, 201);
    assert.equal(reply.body.public_key, key.publicKey);
    const secret = key.privateKey.export({ type: 'pkcs8', format: 'pem' });
    assert.equal((await register({ public_key: secret })).status, 400);
  });

  for (const { says, key, type, status } of [
    { says: 'a P-256 key must say what it is', key: p256, type: undefined, status: 422 },
    { says: 'a P-256 key can be a gateway', key: p256, type: 'gateway', status: 201 },
    { says: 'a P-256 key can be an integration', key: p256, type: 'integration', status: 201 },
    { says: 'a P-256 key cannot be a user', key: p256, type: 'user', status: 422 },
    { says: 'an Ed25519 key cannot be a gateway', key: ed25519, type: 'gateway', status: 422 },
    { says: 'an Ed25519 key can be a developer', key: ed25519, type: 'developer', status: 201 },
    { says: 'nobody makes themselves root', key: ed25519, type: 'root', status: 403 },
    { says: 'nobody makes themselves admin', key: ed25519, type: 'admin', status: 403 },
    { says: 'nobody makes themselves internal', key: p256, type: 'internal', status: 403 },
    { says: 'an unknown type is malformed', key: ed25519, type: 'king', status: 400 },
  ]) {
    test(says, async () => {
      const reply = await register({ public_key: key().publicKey, ...(type && { type }) });
      assert.equal(reply.status, status);
    });
  }

  test('a signed challenge is exchanged for a token that identifies its bearer', async () => {
    const person = await cloud.person();
    const me = await cloud.call('GET', '/identity/me', { as: person });
    assert.equal(me.body.identity_id, person.id);
    assert.equal(me.body.public_key, person.publicKey);
    const claims = decodeJwt(person.token);
    assert.match(String(claims.iss), /^urn:ohmstead:[0-9a-f-]{36}$/);
    assert.equal(claims.aud, claims.iss);
    assert.equal(claims.sub, person.id);
    assert.equal(claims.identity_type, 'user');
    assert.equal(claims.exp! - claims.iat!, 24 * 3600);
    const { keys } = (await cloud.call('GET', '/.well-known/jwks.json')).body;
    assert.ok(keys.some(({ kid }: { kid: string }) => kid === decodeProtectedHeader(person.token).kid));
  });

  test('a gateway signs in with its ES256 key', async () => {
    const gateway = await cloud.person('gateway');
    assert.equal((await cloud.call('GET', '/identity/me', { as: gateway })).body.type, 'gateway');
  });

  test('the challenge is made of base64url characters and dots, and carries purpose and platform', async () => {
    const challenge = await challengeFor(ed25519().publicKey);
    assert.match(challenge, /^[A-Za-z0-9_.-]+$/);
    const [purpose, platform, random] = challenge.split('.');
    assert.equal(purpose, 'login');
    assert.equal(Buffer.from(platform!, 'base64url').toString(), 'http://cloud.test');
    assert.equal(Buffer.from(random!, 'base64url').length, 32);
  });

  test('known and unknown keys are answered alike', async () => {
    const known = await cloud.person();
    const shape = async (publicKey: string) => {
      const { status, body } = await cloud.call('POST', '/auth/challenge', { body: { public_key: publicKey } });
      return [status, Object.keys(body), body.challenge.split('.').map((part: string) => part.length), body.expires_at];
    };
    assert.deepEqual(await shape(known.publicKey), await shape(ed25519().publicKey));
  });

  test('a challenge signs in once, even when two hundred try at the same time', async () => {
    const key = ed25519();
    await register({ public_key: key.publicKey });
    const challenge = await challengeFor(key.publicKey);
    const body = { public_key: key.publicKey, challenge, signature: key.sign(challenge) };
    const replies = await Promise.all(Array.from({ length: 200 }, () => verify(body)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ body }) => body.error === 'challenge_invalid').length, 199);
  });

  test('a challenge ends after 120 seconds, to the millisecond', async () => {
    const key = ed25519();
    await register({ public_key: key.publicKey });
    const early = await challengeFor(key.publicKey);
    const late = await challengeFor(key.publicKey);
    cloud.clock.advance(119_999);
    assert.equal(
      (await verify({ public_key: key.publicKey, challenge: early, signature: key.sign(early) })).status,
      200,
    );
    cloud.clock.advance(1);
    assert.equal((await verify({ public_key: key.publicKey, challenge: late, signature: key.sign(late) })).status, 401);
  });

  test('a challenge of one key does not sign in another', async () => {
    const [one, other] = [ed25519(), ed25519()];
    await register({ public_key: other.publicKey });
    const challenge = await challengeFor(one.publicKey);
    const reply = await verify({ public_key: other.publicKey, challenge, signature: other.sign(challenge) });
    assert.equal(reply.body.error, 'challenge_invalid');
  });

  test('a challenge that is changed in any part is not ours', async () => {
    const key = ed25519();
    await register({ public_key: key.publicKey });
    const parts = (await challengeFor(key.publicKey)).split('.');
    for (const index of parts.keys()) {
      const forged = parts.with(index, index === 3 ? 'zzzzzzzzz' : `A${parts[index]!.slice(1)}x`).join('.');
      const reply = await verify({ public_key: key.publicKey, challenge: forged, signature: key.sign(forged) });
      assert.equal(reply.body.error, 'challenge_invalid', `part ${index}`);
    }
  });

  test('a valid signature of an unregistered key is refused with the advice to register', async () => {
    const key = ed25519();
    const challenge = await challengeFor(key.publicKey);
    const reply = await verify({ public_key: key.publicKey, challenge, signature: key.sign(challenge) });
    assert.equal(reply.status, 401);
    assert.equal(reply.body.error, 'identity_unknown');
    assert.match(reply.body.detail, /register/);
  });

  test('a signature over anything but the challenge is refused', async () => {
    const key = ed25519();
    await register({ public_key: key.publicKey });
    const challenge = await challengeFor(key.publicKey);
    for (const signature of [
      key.sign(`${challenge}\n`),
      key.sign(''),
      ed25519().sign(challenge),
      'AAAA',
      'not base64!',
    ]) {
      const reply = await verify({ public_key: key.publicKey, challenge, signature });
      assert.equal(reply.body.error, 'signature_invalid', signature);
    }
  });

  test('a revoked token ends at once, and only that one', async () => {
    const person = await cloud.person();
    const other = { ...person, token: await cloud.signIn(person) };
    assert.equal((await cloud.call('POST', '/auth/revoke', { as: person })).status, 204);
    assert.equal((await cloud.call('GET', '/identity/me', { as: person })).status, 401);
    assert.equal((await cloud.call('GET', '/identity/me', { as: other })).status, 200);
  });

  test('a token ends at its expiry', async () => {
    const person = await cloud.person();
    cloud.clock.advance(24 * 3_600_000 - 1000);
    assert.equal((await cloud.call('GET', '/identity/me', { as: person })).status, 200);
    cloud.clock.advance(1000);
    assert.equal((await cloud.call('GET', '/identity/me', { as: person })).status, 401);
  });

  test('forged tokens are refused, each with 401', async () => {
    const person = await cloud.person();
    const claims = decodeJwt(person.token);
    const { kid } = decodeProtectedHeader(person.token);
    const { keys } = (await cloud.call('GET', '/.well-known/jwks.json')).body;
    const jwk = keys.find((key: { kid: string }) => key.kid === kid);
    const pem = await exportSPKI(createPublicKey({ key: jwk, format: 'jwk' }));
    const [header, payload, signature] = person.token.split('.') as [string, string, string];
    const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hs256 = (secret: string | Buffer) => {
      const input = `${json({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    };
    const own = ed25519();
    const signedByUs = (protectedHeader: object, changed: object = {}) => {
      const input = `${json({ alg: 'EdDSA', typ: 'JWT', ...protectedHeader })}.${json({ ...claims, ...changed })}`;
      return `${input}.${signBytes(null, Buffer.from(input), own.privateKey).toString('base64url')}`;
    };
    await importJWK(jwk, 'EdDSA');
    const forged = {
      'no signature': `${header}.${payload}.`,
      'alg none': `${json({ alg: 'none', typ: 'JWT', kid })}.${payload}.`,
      'alg None': `${json({ alg: 'None', typ: 'JWT', kid })}.${payload}.${signature}`,
      'HS256 with the public key as PEM': hs256(pem),
      'HS256 with the public key as x': hs256(Buffer.from(jwk.x, 'base64url')),
      'a foreign key under our kid': signedByUs({ kid }),
      'a foreign kid': signedByUs({ kid: 'foreign' }),
      'a kid that is a path': signedByUs({ kid: '../../etc/passwd' }),
      'a kid that is SQL': signedByUs({ kid: "' or 1=1 --" }),
      'no kid': signedByUs({}),
      'a key in the header': signedByUs({ kid, jwk: createPublicKey(own.privateKey).export({ format: 'jwk' }) }),
      'a key by address': signedByUs({ kid, jku: 'http://127.0.0.1:1/jwks.json' }),
      'a certificate by address': signedByUs({ kid, x5u: 'http://127.0.0.1:1/cert.pem' }),
      'a critical extension': signedByUs({ kid, crit: ['exp'] }),
      'another payload under the same signature': `${header}.${json({ ...claims, sub: 'idt-x' })}.${signature}`,
      'two dots more': `${person.token}..`,
      'an encrypted token': `${header}.${payload}.${signature}.AAAA.AAAA`,
      'a long one': `${header}.${'A'.repeat(5000)}.${signature}`,
      'a flipped bit in the signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    };
    for (const [says, token] of Object.entries(forged)) {
      const reply = await cloud.call('GET', '/identity/me', { as: { ...person, token } });
      assert.equal(reply.status, 401, says);
      assert.equal(reply.headers['www-authenticate'], 'Bearer error="invalid_token"');
    }
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${person.token}`,
      person.token,
      `Bearer ${person.token} x`,
    ]) {
      assert.equal(
        (await cloud.call('GET', '/identity/me', { headers: { authorization } })).status,
        401,
        authorization,
      );
    }
    assert.equal((await cloud.call('GET', `/identity/me?access_token=${person.token}`)).status, 401);
  });

  test('a token for another deployment is refused though our key signed it', async () => {
    const other = await openCloud({ engine });
    try {
      const stranger = await other.person();
      assert.equal((await cloud.call('GET', '/identity/me', { as: stranger })).status, 401);
      for (const changed of [{ aud: 'urn:ohmstead:else' }, { iss: 'urn:ohmstead:else' }, { sub: 'idt-missing' }]) {
        const person = await cloud.person();
        const row = await cloud.store.db
          .selectFrom('signing_keys')
          .where('stage', '=', 'current')
          .selectAll()
          .executeTakeFirstOrThrow();
        const { createPrivateKey } = await import('node:crypto');
        const token = await new SignJWT({ ...decodeJwt(person.token), ...changed })
          .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: row.kid })
          .sign(createPrivateKey(row.private_key));
        assert.equal((await cloud.call('GET', '/identity/me', { as: { ...person, token } })).status, 401);
      }
    } finally {
      await other.close();
    }
  });
});
