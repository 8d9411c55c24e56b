import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { signedIn } from '#contract/access.ts';
import { createClient } from '#contract/client.ts';
import { Problem } from '#contract/problem.ts';
import { route } from '#contract/route.ts';
import { pagesOf, Type } from '#contract/schema.ts';
import { freePort } from '#test/free-port.ts';
import { Answer, createMount, type Door } from './mount.ts';
import { createServer } from './server.ts';

const tag = 'Things';
const Thing = Type.Object({ id: Type.String(), size: Type.Integer() });

const getThing = route({
  method: 'GET',
  path: '/things/{id}',
  tag,
  summary: 'One thing',
  access: signedIn,
  query: Type.Object({ size: Type.Optional(Type.Integer()) }),
  replies: { 200: Thing },
});
const makeThing = route({
  method: 'POST',
  path: '/things',
  tag,
  summary: 'Make a thing',
  access: signedIn,
  body: Thing,
  replies: { 201: Thing, 200: Thing },
  creates: true,
});
const listThings = route({
  method: 'GET',
  path: '/things',
  tag,
  summary: 'All things',
  access: signedIn,
  ...pagesOf(Thing),
});
const deleteThing = route({
  method: 'DELETE',
  path: '/things/{id}',
  tag,
  summary: 'Delete a thing',
  access: signedIn,
  replies: { 204: null },
});
const whoAmI = route({
  method: 'GET',
  path: '/me',
  tag,
  summary: 'The authorization that arrived',
  access: signedIn,
  replies: { 200: Type.Object({ authorization: Type.String(), key: Type.String() }) },
});
const whoIsAnybody = route({ ...whoAmI, path: '/anybody', access: 'public' });
const wait = route({ ...whoAmI, path: '/wait' });
const page = route({ ...whoAmI, path: '/page' });
const local = route({ ...whoAmI, path: '/local' });

type Arrived = { arrived: Record<string, string> };

const open: Door<Arrived> = {
  unknownFields: 'refuse',
  admit: () => async () => {},
  serve: async (_route, request, handle) => handle({ arrived: request.headers as Record<string, string> }),
};

const app = createServer({ log: pino({ level: 'silent' }), apiVersion: '1' });
const mount = createMount(app, open);
const sizes = [1, 2, 3, 4, 5];

mount(getThing, ({ params, query }) => ({ id: params.id, size: query.size ?? 0 }));
mount(makeThing, ({ body }) => {
  if (body.size === 0) throw new Problem('rate_limited', 'Too many.', { retryAfterSeconds: 7 });
  return body;
});
mount(listThings, ({ query: { limit = 2, cursor = '0' } }) => {
  const start = Number(cursor);
  const items = sizes.slice(start, start + limit).map((size) => ({ id: 'a', size }));
  const link = `<http://elsewhere.example/things?limit=${limit}&cursor=${start + limit}>; rel="next"`;
  return new Answer(200, items, start + limit < sizes.length ? { link } : {});
});
mount(deleteThing, () => undefined);
for (const each of [whoAmI, whoIsAnybody]) {
  mount(each, ({ arrived }) => ({
    authorization: arrived.authorization ?? 'none',
    key: arrived['idempotency-key'] ?? 'none',
  }));
}
mount(wait, () => new Promise<never>(() => {}));
app.get('/local', (_request, reply) =>
  reply.code(503).send({ status: 'error', error: 'device_busy', message: 'The device is busy.' }),
);
app.get('/page', (_request, reply) => reply.code(502).type('text/html').send('<h1>Bad gateway</h1>'));

let baseUrl = '';
before(async () => {
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

const client = () => createClient({ baseUrl: `${baseUrl}/`, token: 'secret' });
const problemOf = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof Problem ? error : assert.fail(String(error))),
  );

suite('a call', () => {
  test('fills in the path and the query, whatever characters they have', async () => {
    const reply = await client().call(getThing, { params: { id: 'a/b c?d%' }, query: { size: 3 } });
    assert.deepEqual(reply, { id: 'a/b c?d%', size: 3 });
  });

  test('sends the body and answers with the reply', async () => {
    assert.deepEqual(await client().call(makeThing, { body: { id: 'a', size: 1 } }), { id: 'a', size: 1 });
  });

  test('has no reply where the route has none', async () => {
    assert.equal(await client().call(deleteThing, { params: { id: 'a' } }), undefined);
  });

  test('carries the token and the idempotency key', async () => {
    const reply = await client().call(whoAmI, { idempotencyKey: 'k-1' });
    assert.deepEqual(reply, { authorization: 'Bearer secret', key: 'k-1' });
  });

  test('asks for the token each time', async () => {
    let count = 0;
    const api = createClient({ baseUrl, token: async () => `token-${++count}` });
    assert.equal((await api.call(whoAmI)).authorization, 'Bearer token-1');
    assert.equal((await api.call(whoAmI)).authorization, 'Bearer token-2');
  });

  test('of a public route carries no token', async () => {
    assert.equal((await client().call(whoIsAnybody)).authorization, 'none');
  });

  test('does not leave its path', async () => {
    for (const id of ['..', '.', '']) {
      assert.equal((await problemOf(client().call(deleteThing, { params: { id } }))).code, 'invalid_request');
    }
  });

  test('ends with its signal', async () => {
    const reason = new Error('enough');
    const aborted = AbortSignal.abort(reason);
    await assert.rejects(client().call(whoAmI, { signal: aborted }), reason);
    const ending = new AbortController();
    const waiting = client().call(wait, { signal: ending.signal });
    setTimeout(() => ending.abort(reason), 20);
    await assert.rejects(waiting, reason);
  });

  test('that misses something fails the type check', () => {
    const { call } = client();
    // @ts-expect-error the path has a parameter
    const withoutParams = () => call(getThing);
    // @ts-expect-error the body has a size
    const withoutSize = () => call(makeThing, { body: { id: 'a' } });
    // @ts-expect-error a thing has no colour
    const withColour = () => call(makeThing, { body: { id: 'a', size: 1, colour: 'red' } });
    // @ts-expect-error the route takes no body
    const withBody = () => call(deleteThing, { params: { id: 'a' }, body: {} });
    assert.equal([withoutParams, withoutSize, withColour, withBody].length, 4);
  });
});

suite('a refusal', () => {
  test('is thrown as the problem it is', async () => {
    const problem = await problemOf(client().call(makeThing, { body: { id: 'a', size: 'big' as never } }));
    assert.equal(problem.code, 'invalid_request');
    assert.equal(problem.message, 'body.size: must be integer.');
    assert.deepEqual(problem.details.errors, [{ path: 'body.size', message: 'must be integer' }]);
  });

  test('says when to try again', async () => {
    const problem = await problemOf(client().call(makeThing, { body: { id: 'a', size: 0 } }));
    assert.equal(problem.code, 'rate_limited');
    assert.equal(problem.details.retryAfterSeconds, 7);
  });

  test('with a code of a newer server has the nearest one of the same status', async () => {
    const newer = Response.json(
      { error: 'not_yet_invented', detail: 'No.' },
      { status: 409, headers: { 'content-type': 'application/problem+json' } },
    );
    const problem = await problemOf(createClient({ baseUrl, fetch: async () => newer }).call(whoAmI));
    assert.equal(problem.code, 'conflict');
    assert.equal(problem.message, 'No.');
  });

  test('by something between us and the server is called unavailable', async () => {
    const problem = await problemOf(client().call(page));
    assert.equal(problem.code, 'unavailable');
    assert.match(problem.message, /\/page returned an unexpected response: 502 \(text\/html\)/);
  });

  test('of a gateway has the short form', async () => {
    const problem = await problemOf(client().call(local));
    assert.deepEqual([problem.code, problem.message], ['device_busy', 'The device is busy.']);
  });

  test('is reported when nobody listens', async () => {
    const nowhere = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const problem = await problemOf(nowhere.call(whoAmI));
    assert.equal(problem.code, 'unavailable');
    assert.match(problem.message, /cannot be reached/);
    assert.ok(problem.cause);
  });
});

suite('pages', () => {
  test('yield every item and contact only this server', async () => {
    const seen: number[] = [];
    for await (const { size } of client().pages(listThings, { query: { limit: 2 } })) seen.push(size);
    assert.deepEqual(seen, sizes);
  });
});

suite('a token that is refused', () => {
  const guarded = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const isGood = new Headers(init?.headers).get('authorization') === 'Bearer good';
    return isGood
      ? fetch(String(url), init)
      : Response.json({ error: 'unauthenticated', message: 'No.' }, { status: 401 });
  };

  test('is replaced once', async () => {
    const refused: unknown[] = [];
    const token = (one?: string): string => {
      refused.push(one);
      return one === 'old' ? 'good' : 'old';
    };
    const api = createClient({ baseUrl, token, fetch: guarded });
    assert.equal((await api.call(whoAmI)).authorization, 'Bearer good');
    assert.deepEqual(refused, [undefined, 'old']);
  });

  test('is reported when it is the only one, or the other is refused too', async () => {
    for (const next of ['old', 'older']) {
      let asked = 0;
      const token = () => (asked++ === 0 ? 'old' : next);
      const problem = await problemOf(createClient({ baseUrl, token, fetch: guarded, retries: 2 }).call(whoAmI));
      assert.equal(problem.code, 'unauthenticated');
      assert.equal(asked, 2);
    }
  });

  test('does not keep a call that was aborted waiting for the next one', async () => {
    const token = () => new Promise<string>(() => {});
    const signal = AbortSignal.timeout(20);
    await assert.rejects(createClient({ baseUrl, token }).call(whoAmI, { signal }), { name: 'TimeoutError' });
  });
});
