import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { maxPlanBytes, planType } from '#contract/gateway-plan.ts';
import { keysType } from '#contract/manage.ts';
import { platformMessage } from '#contract/topics.ts';
import { signTyped } from '#lib/keys/typed-message.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openPlatformKeys } from '../manage/platform-keys.ts';
import { openHeldPlan } from './held-plan.ts';
import { battery, planOf, startMs } from './testing/plans.ts';

const serial = 'ohm-0123456789abcdef';
const url = 'mqtt://platform:1883';
const deployment = 'urn:ohmstead:00000000-0000-4000-8000-000000000000';

function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { kid, privateKey, x: publicKey.export({ format: 'jwk' }).x! };
}

const [current, strange] = [newKey('current'), newKey('strange')];
const hold = { mode: 'hold', power_w: 0, wh: 5000 } as const;
const plan = planOf({ [battery.id]: hold });
const nowS = startMs / 1000;

const keyList = (): Buffer => {
  const list = { iss: deployment, iat: nowS, keys: [{ kid: current.kid, x: current.x }] };
  return Buffer.from(platformMessage(deployment, signTyped(keysType, list, current)));
};

const signed = (changes: object = {}, key = current, typ = planType): Buffer =>
  Buffer.from(signTyped(typ, { iss: deployment, aud: serial, iat: nowS, plan, ...changes }, key));

async function open(t: TestContext, { dataDir = temporaryFolder(t), knowsKeys = true } = {}) {
  const clock = createFakeClock(startMs);
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const keys = await openPlatformKeys({ dataDir, clock, log });
  if (knowsKeys) keys.learn(url, keyList());
  let changes = 0;
  const held = await openHeldPlan({ serial, dataDir, keys, onChange: () => void changes++, clock, log });
  t.after(() => Promise.all([keys.close(), held.close()]));
  return { dataDir, held, keys, lines, changes: () => changes };
}

test('a signed plan is kept and survives a restart, null withdraws it, and an older one does not return', async (t) => {
  const { dataDir, held, keys } = await open(t);
  held.receive(url, signed());
  assert.equal(held.current()?.id, 'plan-1');
  await Promise.all([keys.close(), held.close()]);

  const again = await open(t, { dataDir, knowsKeys: false });
  assert.deepEqual(again.held.current(), plan);
  again.held.receive(url, signed({ iat: nowS + 1, plan: null }));
  again.held.receive(url, signed());
  assert.equal(again.held.current(), undefined);
});

test('the same plan, repeated at each connection, changes nothing', async (t) => {
  const { held, changes } = await open(t);
  for (let n = 0; n < 3; n++) held.receive(url, signed());
  assert.equal(changes(), 1);
});

test('a plan that is received before the keys of the platform is checked when they are known', async (t) => {
  const { held, keys } = await open(t, { knowsKeys: false });
  held.receive(url, signed());
  assert.deepEqual([held.current(), held.refusal()], [undefined, undefined]);
  keys.learn(url, keyList());
  held.keysLearned();
  assert.equal(held.current()?.id, 'plan-1');
});

const step = plan.steps[0]!;
for (const { says, payload, reason } of [
  { says: 'another key signed', payload: signed({}, strange), reason: /does not know the key/ },
  { says: 'has the type of another token', payload: signed({}, current, keysType), reason: /right type/ },
  { says: 'is for another gateway', payload: signed({ aud: 'ohm-2' }), reason: /another gateway/ },
  { says: 'is of another platform', payload: signed({ iss: 'urn:other' }), reason: /does not know the key/ },
  { says: 'was made in the future', payload: signed({ iat: nowS + 3600 }), reason: /in the future/ },
  {
    says: 'lacks a field',
    payload: signed({ plan: { ...plan, window_s: undefined } }),
    reason: /plan\.window_s is required/,
  },
  {
    says: 'is too long',
    payload: signed({ plan: { ...plan, ends_at: startMs + 49 * 3_600_000 } }),
    reason: /48 hours/,
  },
  {
    says: 'has overlapping steps',
    payload: signed({ plan: { ...plan, steps: [step, step] } }),
    reason: /Step 1 begins/,
  },
  {
    says: 'has one storage twice',
    payload: signed({ plan: { ...plan, storages: [battery, battery] } }),
    reason: /same id/,
  },
]) {
  test(`a plan that ${says} is refused and reported, and the one before stays`, async (t) => {
    const { held } = await open(t);
    held.receive(url, signed({ iat: nowS - 1, plan: { ...plan, id: 'plan-0' } }));
    held.receive(url, payload);
    assert.equal(held.current()?.id, 'plan-0');
    assert.equal(held.refusal()?.state, 'refused');
    assert.match(held.refusal()?.message ?? '', reason);
  });
}

test('a plan of 192 steps for four storages is read, and one above the size limit is not', async (t) => {
  const { held } = await open(t);
  const storages = [1, 2, 3, 4].map((n) => ({ ...battery, id: `battery-${n}` }));
  const intents = Object.fromEntries(storages.map(({ id }) => [id, hold]));
  const steps = Array.from({ length: 192 }, (_, n) => ({ ...step, start: startMs + n * 900_000, s: 900, intents }));
  const long = { ...plan, id: 'long', storages, steps };
  held.receive(url, signed({ plan: long }));
  assert.equal(held.current()?.id, 'long');
  held.receive(url, signed({ iat: nowS + 1, plan: { ...plan, padding: 'x'.repeat(maxPlanBytes) } }));
  assert.equal(held.current()?.id, 'long');
});

test('a damaged file is set aside and logged', async (t) => {
  const { dataDir, held, keys } = await open(t);
  held.receive(url, signed());
  await Promise.all([keys.close(), held.close()]);
  const path = join(dataDir, 'plan.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"hold"', '"cover"'));
  const again = await open(t, { dataDir });
  assert.equal(again.held.current(), undefined);
  assert.ok(again.lines.some((line) => line.includes('the plan was damaged')));
});

test('the switch refuses plans by name, is kept, and a damaged setting means off', async (t) => {
  const { dataDir, held } = await open(t);
  held.receive(url, signed());
  await held.enable(false);
  assert.equal(held.current(), undefined);
  assert.deepEqual(held.refusal(), {
    id: 'plan-1',
    state: 'refused',
    message: 'Following plans is switched off at the gateway.',
  });
  await held.close();
  assert.equal((await open(t, { dataDir })).held.isEnabled(), false);
  await held.enable(true);
  assert.equal(held.current()?.id, 'plan-1');
  writeFileSync(join(dataDir, 'plan-switch.json'), '{');
  assert.equal((await open(t, { dataDir })).held.isEnabled(), false);
});
