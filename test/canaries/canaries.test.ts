import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFuzzCloud } from '../fuzz/http/cloud.ts';
import { searchAnswers } from './answers.ts';
import { listenToNeighbours } from './live.ts';
import { searchLogs, searchTellingLog } from './logs.ts';
import { secretKinds } from './secrets.ts';

test('no answer tells a stranger anything of a household', async () => {
  const { wrong } = await searchAnswers({ seed: 2, requests: 500 });
  assert.deepEqual(wrong, []);
});

test('somebody of the household who is taken for a stranger is found out', async () => {
  const { wrong } = await searchAnswers({ seed: 2, requests: 200, letsNeighbourIn: true });
  assert.ok(wrong.some((fault) => fault.includes('tells ')));
});

test('neighbours at their streams and at the broker hear of their own home only', async () => {
  await using service = await openFuzzCloud();
  const { messages, leaks } = await listenToNeighbours(service.cloud, service.url, 10);
  assert.ok(messages >= 40, `${messages} messages`);
  assert.deepEqual(leaks, []);
});

test('no secret of any kind stands in a log', async () => {
  const { kinds, lines, leaks } = await searchLogs({ requests: 80 });
  assert.deepEqual([...kinds].toSorted(), secretKinds.toSorted());
  assert.deepEqual(leaks, []);
  assert.ok(lines > 20, `${lines} lines`);
});

test('a platform that writes the headers of requests into its log is found out', async () => {
  const { leaks } = await searchTellingLog();
  assert.ok(leaks.some((leak) => leak.startsWith('platform logged a session token')));
});
