import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { amount } from '../amount.ts';
import { fuzzRequests, type KeptRequest, requestOf, tryRequest } from './http/fuzz-requests.ts';
import { createJudge } from './http/judge.ts';
import { openPlanted } from './http/planted.ts';
import { inject } from './http/send.ts';
import { fuzzServices } from './http/services.ts';

const requests = amount(500);

const found = globSync('found/*.json', { cwd: import.meta.dirname }).flatMap(
  (file) => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as KeptRequest[],
);

suite('requests generated from the documents are answered as declared, and never with 5xx', () => {
  for (const { name, share, open } of fuzzServices) {
    test(`${requests * share} requests to ${name}, and earlier findings`, async () => {
      await using service = await open();
      const judge = createJudge(service.document);
      for (const kept of found.filter((each) => each.service === name)) {
        const request = requestOf(service, kept);
        const { fault } = await tryRequest(service, request, inject, (answer) => judge(request, answer));
        assert.equal(fault, undefined, JSON.stringify(kept));
      }
      const { byStatus, wrong } = await fuzzRequests(service, { seed: 11, requests: requests * share });
      assert.deepEqual(wrong, []);
      const succeeded = [200, 201, 202, 204].reduce((sum, status) => sum + (byStatus[status] ?? 0), 0);
      assert.ok(succeeded > requests * share * 0.05, JSON.stringify(byStatus));
      console.log(`${name}: ${JSON.stringify(byStatus)}`);
    });
  }
});

test('the same seed makes the same requests', async () => {
  await using service = await openPlanted();
  const [first, again] = [
    await fuzzRequests(service, { seed: 5, requests: 200 }),
    await fuzzRequests(service, { seed: 5, requests: 200 }),
  ];
  assert.deepEqual(first.wrong.map(withoutId), again.wrong.map(withoutId));
});

test('a service that fails, or answers differently than it declares, is detected', async () => {
  await using service = await openPlanted();
  const { wrong } = await fuzzRequests(service, { seed: 5, requests: 400 });
  assert.ok(wrong.some((fault) => fault.startsWith('500, failed with ')));
  assert.ok(wrong.some((fault) => fault.startsWith('200, data')));
});

test('a declared failure is not a finding, and is counted by its code', async () => {
  await using service = await openPlanted();
  const { failures, wrong } = await fuzzRequests(service, { seed: 5, requests: 400 });
  assert.ok(failures['503 unavailable of GET /shelves']! > 20, JSON.stringify(failures));
  assert.ok(failures['500 internal_error of POST /lengths']! > 20, JSON.stringify(failures));
  assert.ok(!wrong.some((fault) => fault.startsWith('503')));
});

test('a failure with a code that only another route declares is a finding', async () => {
  await using service = await openPlanted();
  const judge = createJudge(service.document);
  const answer = { status: 503, headers: {}, body: '{"error":"unavailable"}', tookMs: 1 };
  const request = { as: 'anybody', method: 'GET', url: '/', headers: {}, body: undefined };
  assert.match(judge({ ...request, operation: 'GET /halves/{number}' }, answer)!, /^failed with /);
  const busy = { ...answer, body: '{"error":"device_busy"}' };
  assert.match(judge({ ...request, operation: undefined }, busy)!, /^failed with /);
});

const withoutId = (fault: string): string => fault.replace(/"request_id":"[^"]*"?/, '');
