import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { after, before, beforeEach, suite, test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { until } from '#test/until.ts';
import { createClient } from '../client.ts';
import { Problem } from '../problem.ts';
import { route } from '../route.ts';
import { type Static, Type } from '../schema.ts';

const Thing = Type.Object({ id: Type.String(), size: Type.Integer() });
const about = { path: '/things', tag: 'Things', summary: 'Works in the end', access: 'public' } as const;
const getThing = route({ ...about, method: 'GET', replies: { 200: Thing } });
const putThing = route({ ...about, method: 'PUT', body: Thing, replies: { 200: Thing } });
const createThing = route({ ...about, method: 'POST', body: Thing, replies: { 200: Thing }, creates: true });
const changeThing = route({ ...about, method: 'POST', body: Thing, replies: { 200: Thing } });
const weighThing = route({ ...about, method: 'POST', body: Thing, replies: { 200: Thing }, readOnly: true });

/** Failures of the next requests before one succeeds. */
const trouble: ((reply: ServerResponse) => void)[] = [];
const came: { at: number; key: string }[] = [];

const server = createServer((request, reply) => {
  came.push({ at: performance.now(), key: String(request.headers['idempotency-key'] ?? 'none') });
  const fail = trouble.shift();
  if (fail) return fail(reply);
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'a', size: came.length }));
});

let baseUrl = '';
before(async () => {
  baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const problemOf = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof Problem ? error : assert.fail(String(error))),
  );

suite('a call that fails', { timeout: 60_000 }, () => {
  const broken = (reply: ServerResponse) => void reply.destroy();
  const answer =
    (status: number, headers = {}) =>
    (reply: ServerResponse) =>
      void reply.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Not now</h1>');
  const stubborn = () => createClient({ baseUrl, retries: 2 });
  const body: Static<typeof Thing> = { id: 'a', size: 1 };

  beforeEach(() => {
    trouble.length = 0;
    came.length = 0;
  });

  for (const { what, fail } of [
    { what: 'a connection that breaks', fail: broken },
    { what: 'a 502', fail: answer(502) },
    { what: 'a 503', fail: answer(503) },
    { what: 'a 429', fail: answer(429) },
  ]) {
    test(`by ${what} is tried again, each time after longer`, async () => {
      trouble.push(fail, fail);
      assert.equal((await stubborn().call(getThing)).size, 3);
      const [first, second, third] = came.map(({ at }) => at) as [number, number, number];
      assert.ok(second - first >= 295, `${second - first} ms`);
      assert.ok(third - second >= 595, `${third - second} ms`);
    });
  }

  test('is retried up to the limit, then throws the last failure', async () => {
    trouble.push(answer(503), answer(503), answer(502));
    assert.match((await problemOf(stubborn().call(getThing))).message, /unexpected response: 502/);
    assert.equal(came.length, 3);
  });

  test('is not tried again by a client that was not asked to', async () => {
    trouble.push(answer(503));
    await problemOf(createClient({ baseUrl }).call(getThing));
    assert.equal(came.length, 1);
  });

  test('is not tried again when trying cannot help', async () => {
    for (const status of [400, 401, 403, 404, 409, 418, 500]) {
      trouble.push(answer(status));
      came.length = 0;
      await problemOf(stubborn().call(getThing));
      assert.equal(came.length, 1, `${status}`);
    }
  });

  test('waits as long as the server asks', async () => {
    trouble.push(answer(429, { 'retry-after': '1' }));
    await stubborn().call(getThing);
    assert.ok(came[1]!.at - came[0]!.at >= 995);
  });

  test('does not wait for a server that asks for an hour', async () => {
    trouble.push(answer(503, { 'retry-after': '3600' }));
    assert.equal((await problemOf(stubborn().call(getThing))).details.retryAfterSeconds, 3600);
    assert.equal(came.length, 1);
  });

  test('does not wait longer than longestWaitMs', async () => {
    trouble.push(answer(503, { 'retry-after': '2' }));
    const hasty = createClient({ baseUrl, retries: 2, longestWaitMs: 1500 });
    assert.equal((await problemOf(hasty.call(getThing))).details.retryAfterSeconds, 2);
    assert.equal(came.length, 1);
    trouble.push(answer(503, { 'retry-after': '1' }));
    await hasty.call(getThing);
    assert.equal(came.length, 3);
  });

  test('is sent again when it changes the same thing to the same', async () => {
    trouble.push(broken);
    await stubborn().call(putThing, { body });
    trouble.push(broken);
    await stubborn().call(weighThing, { body });
    assert.equal(came.length, 4);
  });

  test('is not sent again when it might be done twice', async () => {
    trouble.push(broken);
    await problemOf(stubborn().call(changeThing, { body, idempotencyKey: 'which this route does not honour' }));
    assert.equal(came.length, 1);
  });

  test('creates once: all tries have one key, made for it or given', async () => {
    trouble.push(broken, broken);
    await stubborn().call(createThing, { body });
    assert.match(came[0]!.key, /^[0-9a-f]{32}$/);
    assert.equal(new Set(came.map(({ key }) => key)).size, 1);
    await stubborn().call(createThing, { body });
    assert.notEqual(came[3]!.key, came[0]!.key);
    trouble.push(broken);
    await stubborn().call(createThing, { body, idempotencyKey: 'mine' });
    assert.deepEqual(
      came.slice(4).map(({ key }) => key),
      ['mine', 'mine'],
    );
  });

  test('waits no longer once it is aborted', async () => {
    trouble.push(answer(503, { 'retry-after': '50' }));
    const ending = new AbortController();
    const waiting = stubborn().call(getThing, { signal: ending.signal });
    await until(() => came.length === 1);
    setTimeout(() => ending.abort(new Error('enough')), 100);
    const stopwatch = startStopwatch();
    await assert.rejects(waiting, /enough/);
    assert.ok(stopwatch.ms() < 2000);
    assert.equal(came.length, 1);
  });
});
