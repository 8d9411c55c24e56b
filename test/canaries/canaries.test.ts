import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFuzzCloud } from '../fuzz/http/cloud.ts';
import { searchAnswers } from './answers.ts';
import { listenToNeighbours } from './live.ts';
import { searchLogs, searchTellingLog } from './logs.ts';
import { secretKinds } from './secrets.ts';

test('no answer contains anything about a household for a stranger', async () => {
  const { wrong } = await searchAnswers({ seed: 2, requests: 500 });
  assert.deepEqual(wrong, []);
});

test("a neighbour who can read the household's secrets is detected", async () => {
  const { wrong } = await searchAnswers({ seed: 2, requests: 200, letsNeighbourIn: true });
  assert.ok(wrong.some((fault) => fault.includes('tells ')));
});

test('neighbours receive only their own home on streams and at the broker', async () => {
  await using service = await openFuzzCloud();
  const { messages, leaks } = await listenToNeighbours(service.cloud, service.url, 10);
  assert.ok(messages >= 40, `${messages} messages`);
  assert.deepEqual(leaks, []);
});

test('no log contains a secret of any kind', async () => {
  const { kinds, lines, leaks } = await searchLogs({ requests: 80 });
  assert.deepEqual([...kinds].toSorted(), secretKinds.toSorted());
  assert.deepEqual(leaks, []);
  assert.ok(lines > 20, `${lines} lines`);
});

test('a platform that logs request headers is detected', async () => {
  const { leaks } = await searchTellingLog();
  assert.ok(leaks.some((leak) => leak.startsWith('platform logged a session token')));
});
