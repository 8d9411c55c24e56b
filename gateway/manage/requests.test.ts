import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { suite, type TestContext, test } from 'node:test';
import { keysType, requestLifeS, requestType } from '#contract/manage.ts';
import { platformMessage } from '#contract/topics.ts';
import { signTyped } from '#lib/keys/typed-message.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import type { Operations } from './operations.ts';
import { openPlatformKeys } from './platform-keys.ts';
import { openRemoteManagement } from './remote-management.ts';
import { createManageRequests } from './requests.ts';

const serial = 'ohm-0123456789abcdef';
const url = 'mqtt://platform:1883';
const deployment = 'urn:ohmstead:00000000-0000-4000-8000-000000000000';
const startMs = Date.parse('2026-06-01T12:00:00Z');

type Key = ReturnType<typeof newKey>;

function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { kid, privateKey, x: publicKey.export({ format: 'jwk' }).x! };
}

const [current, next, strange] = ['current', 'next', 'strange'].map(newKey) as [Key, Key, Key];

/** The first message of a platform after a subscription: its keys, signed by the first of them. */
const message = (now: number, keys: readonly Key[], iss = deployment): Buffer => {
  const list = { iss, iat: Math.floor(now / 1000), keys: keys.map(({ kid, x }) => ({ kid, x })) };
  return Buffer.from(platformMessage(iss, signTyped(keysType, list, keys[0]!)));
};

/** A gateway that knows the keys of its platform, a minute after its start. */
async function openGateway(t: TestContext, { isClaimed = true } = {}) {
  const dataDir = temporaryFolder(t);
  const clock = createFakeClock(startMs);
  const log = createLog({ level: 'silent', name: 'test' });
  const keys = await openPlatformKeys({ dataDir, clock, log });
  const management = await openRemoteManagement(dataDir, log);
  t.after(() => Promise.all([keys.close(), management.close()]));
  const performed: string[] = [];
  const answers: { id: string; accepted?: boolean; result?: object; error?: { code: string; message: string } }[] = [];
  const record = (name: string) => (): object => {
    performed.push(name);
    return {};
  };
  const perform = new Proxy({}, { get: (_, name) => record(String(name)) }) as Operations;
  const requests = createManageRequests({
    serial,
    keys,
    management,
    isClaimed: () => isClaimed,
    perform,
    publish: (_, answer) => answers.push(answer as (typeof answers)[number]) > 0,
    clock,
    log,
  });
  requests.listening();
  keys.learn(url, message(clock.now(), [current, next]));
  clock.advance(60_000);

  let id = 0;
  /** Returns a valid request, of which a test changes something. */
  const request = ({
    key = current,
    typ = requestType,
    ...claims
  }: Record<string, unknown> & { key?: Key; typ?: string } = {}) => {
    const iat = Math.floor(clock.now() / 1000);
    const usual = {
      iss: deployment,
      aud: serial,
      jti: `id-${++id}`,
      iat,
      exp: iat + requestLifeS,
      org: 'org-1',
      by: 'idt-1',
    };
    return signTyped(typ, { ...usual, op: 'scan', args: {}, ...claims }, key);
  };
  /** Returns the words of the refusal, or "done". */
  const send = async (text: string, broker = url): Promise<string> => {
    const before = answers.length;
    requests.receive(broker, Buffer.from(text));
    await until(() => answers.slice(before).some(({ accepted }) => accepted !== true), Boolean, 2000);
    const { error } = answers.at(-1)!;
    return error ? `${error.code}: ${error.message}` : 'done';
  };
  return { clock, keys, management, requests, performed, answers, request, send };
}

suite('requests of the platform', () => {
  test('are accepted, carried out, answered and listed', async (t) => {
    const { management, performed, answers, request, send } = await openGateway(t);
    assert.equal(await send(request()), 'done');
    assert.deepEqual(performed, ['scan']);
    assert.deepEqual(answers, [
      { id: 'id-1', accepted: true },
      { id: 'id-1', result: {} },
    ]);
    assert.deepEqual(management.requests(), [{ at: startMs + 60_000, operation: 'scan', by: 'idt-1' }]);
  });

  const s = Math.floor(startMs / 1000) + 60;
  const cut = (text: string): string => `${text.slice(0, -4)}AAAA`;
  const unknownKey = /does not know the key/;
  const attacks: [
    title: string,
    claims: Record<string, unknown> & { key?: Key },
    because: RegExp,
    change?: (text: string) => string,
  ][] = [
    ['with a forged signature', {}, unknownKey, cut],
    ['signed by another platform', { key: strange }, unknownKey],
    ['signed by a strange key under a known name', { key: { ...strange, kid: 'current' } }, unknownKey],
    ['of another deployment', { iss: 'urn:ohmstead:other' }, unknownKey],
    ['for another gateway', { aud: 'ohm-other' }, /for another gateway/],
    ['that have expired', { iat: s - 300, exp: s - 240 }, /not valid now/],
    ['from the future', { iat: s + 240, exp: s + 300 }, /not valid now/],
    ['that are valid for longer than a minute', { exp: s + 3600 }, /not valid now/],
    ['from before the start of the gateway', { iat: s - 70, exp: s - 10 }, /just started/],
    ['for an operation that is not on the list', { op: 'factory_reset' }, /does not offer/],
    ['for a property of every object', { op: 'constructor' }, /does not offer/],
    ['with arguments that are not on the list', { op: 'scan', args: { wifi: 'x' } }, /wifi: is not a known field/],
  ];
  for (const [title, claims, because, change = (text: string) => text] of attacks) {
    test(`${title} are refused`, async (t) => {
      const { performed, request, send } = await openGateway(t);
      assert.match(await send(change(request(claims))), because);
      assert.deepEqual(performed, []);
      assert.equal(await send(request()), 'done');
    });
  }

  test('are refused when they are repeated, when it is switched off, and on an unclaimed gateway', async (t) => {
    const { management, performed, request, send } = await openGateway(t);
    const once = request();
    assert.equal(await send(once), 'done');
    assert.match(await send(once), /received before/);
    await management.set(false);
    assert.match(await send(request()), /^management_refused: Remote management is switched off/);
    assert.equal(performed.length, 1);
    const unclaimed = await openGateway(t, { isClaimed: false });
    assert.match(await unclaimed.send(unclaimed.request()), /not claimed/);
  });

  test('that are too large, of another type, or no request at all are not even answered', async (t) => {
    const { requests, answers, performed, request } = await openGateway(t);
    for (const text of [request({ args: { x: 'x'.repeat(20_000) } }), request({ typ: 'JWT' }), '', 'a.b.c', '{}']) {
      requests.receive(url, Buffer.from(text));
    }
    assert.deepEqual([answers, performed], [[], []]);
  });

  test('of the platform behind another broker are refused', async (t) => {
    const { request, send } = await openGateway(t);
    assert.match(await send(request(), 'mqtt://other:1883'), unknownKey);
  });
});

suite('the keys of the platform', () => {
  test('are replaced by a list that a known key signed', async (t) => {
    const { clock, keys, request, send } = await openGateway(t);
    const later = newKey('later');
    keys.learn(url, message(clock.now(), [next, later]));
    assert.equal(await send(request({ key: later })), 'done');
    assert.match(await send(request({ key: current })), unknownKeyWords);
  });

  test('are not replaced by the list of a strange key, nor by an older list', async (t) => {
    const { clock, keys, request, send } = await openGateway(t);
    keys.learn(url, message(clock.now(), [strange, current]));
    keys.learn(url, message(clock.now(), [strange], 'urn:ohmstead:11111111-0000-4000-8000-000000000000'));
    keys.learn(url, message(clock.now() - 120_000, [current, strange]));
    assert.match(await send(request({ key: strange })), unknownKeyWords);
    assert.equal(keys.isTrusted(), false);
    assert.equal(await send(request()), 'done');
  });

  test('that nobody vouched for are trusted once somebody at the gateway trusts them', async (t) => {
    const { clock, keys, request, send } = await openGateway(t);
    keys.learn(url, message(clock.now(), [strange]));
    keys.trustAnew();
    assert.equal(await send(request({ key: strange })), 'done');
    assert.match(await send(request({ key: current })), unknownKeyWords);
    assert.equal(keys.isTrusted(), true);
  });
});

const unknownKeyWords = /does not know the key/;
