import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '#contract/schema.ts';
import { selfSigned } from '#test/self-signed.ts';
import { checkConfig } from '../config.ts';

const Config = Type.Object(
  {
    PROXIES: Type.Optional(Type.String({ format: 'proxies' })),
    NETWORKS: Type.String({ format: 'networks', default: '' }),
    CERT: Type.Optional(Type.String({ format: 'certificates' })),
    KEY: Type.Optional(Type.String({ format: 'private key', secret: true })),
  },
  { certificatesOf: { KEY: 'CERT' } },
);

const mistakesOf = (env: Record<string, string>): string[] =>
  checkConfig(Config, env).mistakes.map(({ name, says }) => `${name} ${says}`);

const [one, other] = [selfSigned(), selfSigned()];
const damaged = one.cert.replace(/\n.{20}/, '\n');

for (const env of [
  { PROXIES: '127.0.0.1' },
  { PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32' },
  { NETWORKS: '*' },
  { NETWORKS: '0.0.0.0/0,2001:db8::1' },
  { CERT: one.cert },
  { CERT: `${one.cert}\n${other.cert}`, KEY: one.key },
]) {
  test(`${JSON.stringify(env).slice(0, 60)} fits`, () => assert.deepEqual(mistakesOf(env), []));
}

for (const text of ['foo', '0.0.0.0/0', '::/0', '127.0.0.1,', '10.0.0.0/33', '10.0.0/8', 'fe80::1%eth0']) {
  test(`${text} is not a proxy`, () =>
    assert.deepEqual(mistakesOf({ PROXIES: text }), [
      `PROXIES is "${text}"; expected text, addresses or networks such as 10.0.0.0/8, but not all addresses.`,
    ]));
}

test('an invalid network is explained', () => {
  assert.deepEqual(mistakesOf({ NETWORKS: 'foo' }), [
    'NETWORKS is "foo"; expected text, networks such as 100.64.0.0/10 or 2001:db8::/32.',
  ]);
});

for (const { says, text } of [
  { says: 'the name of a file', text: '/etc/tls/fullchain.pem' },
  { says: 'a private key', text: one.key },
  { says: 'a damaged one', text: damaged },
  { says: 'a damaged one behind a whole one', text: `${one.cert}\n${damaged}` },
]) {
  test(`${says} in place of certificates is refused and not shown`, () =>
    assert.deepEqual(mistakesOf({ CERT: text }), [
      'CERT is set to something else; expected text, PEM certificates, not the name of their file.',
    ]));
}

test('an invalid private key, or one of another certificate, is refused', () => {
  assert.deepEqual(mistakesOf({ CERT: one.cert, KEY: 'y' }), [
    'KEY is set to a secret that does not fit; expected text, a PEM private key without a password, not the name of its file.',
  ]);
  assert.deepEqual(mistakesOf({ CERT: one.cert, KEY: other.key }), [
    'KEY is not the private key of the first certificate in CERT.',
  ]);
});
