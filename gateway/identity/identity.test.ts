import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { jwtVerify } from 'jose';
import { parseClaim } from '#contract/claim.ts';
import { keyObjectOf, parsePublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import { openLocal } from '#test/gateway/open-local.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openIdentity } from './identity.ts';
import { identityRoutes } from './routes.ts';
import { openSigning } from './signing.ts';

async function openGateway(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const local = openLocal();
  const { clock, log } = local;
  const identity = await openIdentity(dataDir, 'ohm');
  const signing = await openSigning({ identity, dataDir, onSigned() {}, clock, log });
  identityRoutes(local.mount, { identity, signing, name: 'software_zap' });
  return { ...local, identity, dataDir };
}

suite('the identity of a gateway', () => {
  test('is a serial derived from the key, and does not change', async (t) => {
    const { call, identity, dataDir } = await openGateway(t);
    const { body } = await call('GET /api/crypto');
    assert.deepEqual(body, {
      deviceName: 'software_zap',
      serialNumber: identity.serial,
      publicKey: identity.publicKeyHex,
    });
    assert.match(body.publicKey, /^[0-9a-f]{128}$/);
    const digest = hash('sha256', Buffer.from(body.publicKey, 'hex'), 'hex');
    assert.equal(body.serialNumber, `ohm-${digest.slice(0, 16)}`);
    const again = await openIdentity(dataDir, 'ohm');
    assert.equal(again.serial, identity.serial);
    assert.equal(again.publicKeyHex, identity.publicKeyHex);
  });

  test('signs a token that the broker accepts for an hour', async (t) => {
    const { identity, clock } = await openGateway(t);
    const { payload, protectedHeader } = await jwtVerify(
      await identity.brokerToken(clock.now() + 999, { aud: 'mqtt://broker.test:1883' }),
      keyObjectOf(parsePublicKey(identity.publicKeyHex)),
      { algorithms: ['ES256'], currentDate: new Date(clock.now()) },
    );
    assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'JWT', device: identity.serial });
    const iat = clock.now() / 1000;
    assert.deepEqual(payload, { sub: identity.serial, iat, exp: iat + 3600, aud: 'mqtt://broker.test:1883' });
  });
});

suite('a signature', () => {
  test('over a claim has the form that the platform expects', async (t) => {
    const { call, identity, clock } = await openGateway(t);
    const { status, body } = await call('POST /api/crypto/sign', { body: { message: 'idt-123' } });
    assert.equal(status, 200);
    assert.match(body.sign, /^[0-9a-f]{128}$/);
    const { nonce, ...claim } = parseClaim(body.message)!;
    assert.match(nonce, /^[0-9a-f]{12}$/);
    assert.deepEqual(claim, { claimerId: 'idt-123', atMs: clock.now(), serial: identity.serial });
    const key = parsePublicKey(identity.publicKeyHex);
    assert.ok(verifySignature(key, body.message, body.sign));
    assert.ok(!verifySignature(key, body.message.replace('idt-123', 'idt-124'), body.sign));
  });

  test('has its own nonce each time', async (t) => {
    const { call } = await openGateway(t);
    const first = await call('POST /api/crypto/sign', { body: { message: 'a' } });
    const second = await call('POST /api/crypto/sign', { body: { message: 'a' } });
    assert.notEqual(first.body.message, second.body.message);
  });

  for (const body of [{}, { message: '' }, undefined]) {
    test(`over ${JSON.stringify(body)} is over nonce, time and serial`, async (t) => {
      const { call, identity } = await openGateway(t);
      const answer = await call('POST /api/crypto/sign', body === undefined ? {} : { body });
      assert.match(answer.body.message, new RegExp(`^[0-9a-f]{12}\\|2026-06-01T12:00:00\\.000Z\\|${identity.serial}$`));
    });
  }

  for (const timestamp of [
    '2026-06-01T12:09:59Z',
    '2026-06-01T13:51:00+02:00',
    '1780315200',
    '1780315200000',
    '2026-06-01 11:50:00Z',
  ]) {
    test(`accepts ${timestamp} as it is`, async (t) => {
      const { call } = await openGateway(t);
      const { status, body } = await call('POST /api/crypto/sign', { body: { message: 'a', timestamp } });
      assert.equal(status, 200);
      assert.equal(body.message.split('|')[2], timestamp);
    });
  }

  const refused: object[] = [
    { timestamp: '2026-06-01T12:10:01Z' },
    { timestamp: '2026-06-01T11:49:59Z' },
    { timestamp: 'now' },
    { timestamp: '2026-06-01' },
    { timestamp: '2026-06-31T12:00:00Z' },
    { timestamp: '2026-06-01T12:00:00Z|x' },
    { timestamp: 1780315200 },
    { message: 'a|b' },
    { message: 'a\nb' },
    { message: 'a\u0000' },
    { message: '\ud800' },
    { message: 'x'.repeat(512) },
    { message: 7 },
  ];
  for (const body of refused) {
    test(`is not made over ${JSON.stringify(body).slice(0, 60)}`, async (t) => {
      const { call } = await openGateway(t);
      assert.equal((await call('POST /api/crypto/sign', { body })).status, 400);
      assert.deepEqual((await call('GET /api/crypto/signatures')).body, { signatures: [] });
    });
  }

  test('of the longest message is made', async (t) => {
    const { call } = await openGateway(t);
    assert.equal((await call('POST /api/crypto/sign', { body: { message: 'å'.repeat(511) } })).status, 200);
  });

  test('for a wallet contains the serial of the gateway', async (t) => {
    const { call, identity } = await openGateway(t);
    const { body } = await call('POST /api/crypto', { body: { wallet: 'H7nP' } });
    assert.equal(body.idAndWallet, `${identity.serial}:H7nP`);
    assert.ok(verifySignature(parsePublicKey(identity.publicKeyHex), body.idAndWallet, body.signature));
    assert.equal((await call('POST /api/crypto', { body: {} })).status, 400);
    assert.equal((await call('POST /api/crypto', { body: { wallet: 'a|b' } })).status, 400);
  });

  test('is limited to six per minute, wallets included', async (t) => {
    const { call, clock } = await openGateway(t);
    for (let i = 0; i < 3; i++) {
      assert.equal((await call('POST /api/crypto/sign')).status, 200);
      assert.equal((await call('POST /api/crypto', { body: { wallet: 'w' } })).status, 200);
    }
    const { status, headers, body } = await call('POST /api/crypto/sign');
    assert.equal(status, 429);
    assert.equal(headers['retry-after'], '10');
    assert.equal(body.error, 'rate_limited');
    assert.equal((await call('POST /api/crypto', { body: { wallet: 'w' } })).status, 429);
    clock.advance(10_000);
    assert.equal((await call('POST /api/crypto/sign')).status, 200);
  });

  test('is listed with its caller, and logged without the signature', async (t) => {
    const { call, dataDir, clock, log, lines, identity } = await openGateway(t);
    const first = await call('POST /api/crypto/sign', { body: { message: 'first' } });
    clock.advance(1000);
    await call('POST /api/crypto', { body: { wallet: 'w' } });
    const { signatures } = (await call('GET /api/crypto/signatures')).body;
    assert.deepEqual(signatures, [
      { at: clock.now(), message: `${identity.serial}:w`, from: '127.0.0.1' },
      { at: clock.now() - 1000, message: first.body.message, from: '127.0.0.1' },
    ]);
    const after = await openSigning({ identity, dataDir, onSigned() {}, clock, log });
    assert.deepEqual(after.list(), signatures);
    const logged = lines.join('');
    assert.ok(logged.includes(first.body.message));
    assert.ok(!logged.includes(first.body.sign));
  });

  test('stays in the list of the last hundred', async (t) => {
    const { dataDir, clock, log, identity } = await openGateway(t);
    const signing = await openSigning({ identity, dataDir, onSigned() {}, clock, log });
    for (let i = 0; i < 103; i++) {
      clock.advance(10_000);
      await signing.signWallet(String(i), { now: clock.now(), from: '' });
    }
    const kept = (await openSigning({ identity, dataDir, onSigned() {}, clock, log })).list();
    assert.equal(kept.length, 100);
    assert.ok(kept[0]!.message.endsWith(':102'));
  });

  test('is made although the list was damaged, which is logged', async (t) => {
    const { dataDir, clock, log, lines, identity } = await openGateway(t);
    await writeFile(join(dataDir, 'signatures.json'), '[');
    const signing = await openSigning({ identity, dataDir, onSigned() {}, clock, log });
    assert.deepEqual(signing.list(), []);
    assert.ok(lines.some((line) => line.includes('was damaged')));
    assert.ok((await readdir(dataDir)).some((name) => name.startsWith('signatures.json.damaged-')));
  });

  test('is made although the list cannot be stored, which is logged', async (t) => {
    const { identity, clock, log, lines } = await openGateway(t);
    const signing = await openSigning({ identity, dataDir: '/nowhere/to/be/found', onSigned() {}, clock, log });
    const { signature } = await signing.signWallet('w', { now: clock.now(), from: '' });
    assert.match(signature, /^[0-9a-f]{128}$/);
    assert.ok(lines.some((line) => line.includes('could not be kept')));
  });
});
