import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { type Check, checkClaim } from './check-claim.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = publicKey.export({ type: 'spki', format: 'der' });
const xy = spki.subarray(-64);
const serial = `ohm-${createHash('sha256').update(xy).digest('hex').slice(0, 16)}`;
const nowMs = Date.UTC(2026, 5, 1, 12);
const me = 'idt-1';
const message = `${me}|a1b2c3d4e5f6|2026-06-01T11:58:00Z|${serial}`;

const raw = (text: string): Buffer => sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
const der = (text: string): Buffer => sign('sha256', Buffer.from(text), privateKey);

const valid = {
  gateway_serial: serial,
  public_key: xy.toString('hex'),
  message,
  signature: raw(message).toString('hex'),
};

const verdicts = async (claim: object): Promise<Partial<Record<Check['about'], string>>> => {
  const checks = await checkClaim({ ...valid, ...claim }, me, nowMs);
  return Object.fromEntries(checks.map(({ about, verdict }) => [about, verdict]));
};

test('a valid claim passes every check; the nonce is left to the platform', async () => {
  assert.deepEqual(await verdicts({}), {
    form: 'good',
    claimer: 'good',
    nonce: 'open',
    time: 'good',
    serial: 'good',
    key: 'good',
    binding: 'good',
    signature: 'good',
  });
});

for (const { spelling, key } of [
  { spelling: '65 bytes in hex', key: Buffer.concat([Buffer.of(4), xy]).toString('hex') },
  { spelling: '65 bytes in base64', key: Buffer.concat([Buffer.of(4), xy]).toString('base64') },
  { spelling: '64 bytes in base64url', key: xy.toString('base64url') },
  { spelling: 'SPKI in base64', key: spki.toString('base64') },
  { spelling: 'PEM', key: publicKey.export({ type: 'spki', format: 'pem' }) as string },
]) {
  test(`a key in the format ${spelling} is parsed`, async () => {
    const { key: verdict, binding, signature } = await verdicts({ public_key: key });
    assert.deepEqual([verdict, binding, signature], ['good', 'good', 'good']);
  });
}

for (const { spelling, signature } of [
  { spelling: 'r and s in base64', signature: raw(message).toString('base64') },
  { spelling: 'DER in hex', signature: der(message).toString('hex') },
  { spelling: 'DER in base64url', signature: der(message).toString('base64url') },
]) {
  test(`a signature in the format ${spelling} is verified`, async () => {
    assert.equal((await verdicts({ signature })).signature, 'good');
  });
}

const signAgain = (text: string) => ({ message: text, signature: raw(text).toString('hex') });

for (const { says, claim, about } of [
  { says: 'somebody else', claim: signAgain(message.replace(me, 'idt-2')), about: 'claimer' },
  { says: 'another gateway', claim: signAgain(message.replace(serial, 'ohm-other')), about: 'serial' },
  { says: 'eleven minutes ago', claim: signAgain(message.replace('11:58', '11:49')), about: 'time' },
  { says: 'eleven minutes from now', claim: signAgain(message.replace('11:58', '12:11')), about: 'time' },
  { says: 'three parts', claim: signAgain('a|b|c'), about: 'form' },
  { says: 'a modified message', claim: { message: message.replace('a1', 'a2') }, about: 'signature' },
  { says: 'a malformed signature', claim: { signature: 'hello' }, about: 'signature' },
  { says: 'an Ed25519 key', claim: { public_key: 'ab'.repeat(32) }, about: 'key' },
  { says: 'a point that is not on the curve', claim: { public_key: '01'.repeat(64) }, about: 'key' },
] as const) {
  test(`a claim with ${says} fails the ${about} check`, async () =>
    assert.equal((await verdicts(claim))[about], 'bad'));
}

test('a serial number that is not derived from the key is left to the platform', async () => {
  const claim = signAgain(message.replace(serial, 'garage-7'));
  assert.equal((await verdicts({ ...claim, gateway_serial: 'garage-7' })).binding, 'open');
});
