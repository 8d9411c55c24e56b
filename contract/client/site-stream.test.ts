import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { Problem } from '../problem.ts';
import { createSender, type TokenSource } from './send.ts';
import type { SiteEvent } from './site-stream.ts';
import { type StreamOptions, streamOf } from './site-stream.ts';

const opening = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
const refusal = (status: number, error: string) =>
  `HTTP/1.1 ${status} No\r\ncontent-type: application/problem+json\r\nconnection: close\r\n\r\n${JSON.stringify({ error, detail: 'No.' })}`;

const soon = 'retry: 1\n\n';
const reading = (n: number, der = 'a'): string =>
  `id: ${n}\ndata: ${JSON.stringify({ type: 'meter', der_id: der, timestamp: n, der_name: 'mätare', W: n })}\n\n`;
const named = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

type Visit = { socket: Socket; lastEventId: string | undefined; authorization: string | undefined; at: number };

/** A server without manners: each connection is played by the next script, the last one again and again. */
async function play(t: TestContext, ...scripts: ((visit: Visit) => unknown)[]) {
  const visits: Visit[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let head = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      head += text;
      if (!head.endsWith('\r\n\r\n')) return;
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
      const visit = {
        socket,
        lastEventId: header('last-event-id'),
        authorization: header('authorization'),
        at: performance.now(),
      };
      visits.push(visit);
      scripts[Math.min(visits.length, scripts.length) - 1]!(visit);
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    visits,
    stream(options: StreamOptions = {}, token: string | TokenSource = 'secret') {
      const events = streamOf(createSender({ baseUrl, token }), 'sit-1', options);
      t.after(() => events.return(undefined));
      return events;
    },
  };
}

const say =
  (...parts: string[]) =>
  ({ socket }: Visit) =>
    socket.write(opening + parts.join(''));
const sayAndClose =
  (...parts: string[]) =>
  ({ socket }: Visit) =>
    socket.end(opening + parts.join(''));

/** The next events, in short: readings by their number. */
async function take(events: AsyncGenerator<SiteEvent>, count: number): Promise<(string | number)[]> {
  const seen: (string | number)[] = [];
  while (seen.length < count) {
    const { done, value } = await events.next();
    if (done) break;
    seen.push(value.type === 'reading' ? value.reading.timestamp : value.type);
  }
  return seen;
}

const tries = 300;

suite('the stream of a site', { timeout: 60_000 }, () => {
  test('tells readings with their ids and the named events, and leaves what it does not know', async (t) => {
    const gateway = { gateway_serial: 'ohm-1', online: true };
    const { stream, visits } = await play(
      t,
      say(soon, ': \n\n', reading(7), named('gateway', gateway), named('holiday', {}), named('gap', {})),
    );
    const events = stream();
    const told = [await events.next(), await events.next(), await events.next(), await events.next()].map(
      ({ value }) => value as SiteEvent,
    );
    assert.deepEqual(told, [
      { type: 'connected' },
      { type: 'reading', id: '7', reading: { type: 'meter', der_id: 'a', timestamp: 7, der_name: 'mätare', W: 7 } },
      { type: 'gateway', data: gateway },
      { type: 'gap' },
    ]);
    assert.deepEqual([visits[0]!.lastEventId, visits[0]!.authorization], [undefined, 'Bearer secret']);
  });

  test('resumes after the last complete event when the connection breaks within one', async (t) => {
    const { stream, visits } = await play(
      t,
      ({ socket }) => {
        socket.write(opening + soon + reading(1) + reading(2).slice(0, -1));
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
      say(reading(2), reading(3)),
    );
    assert.deepEqual(await take(stream(), 6), ['connected', 1, 'disconnected', 'connected', 2, 3]);
    assert.deepEqual(
      visits.map(({ lastEventId }) => lastEventId),
      [undefined, '1'],
    );
  });

  test(`loses nothing and tells nothing twice over ${tries} cuts at any byte`, async (t) => {
    let cuts = 0;
    const { stream } = await play(t, ({ socket, lastEventId = '0' }) => {
      const from = Number(lastEventId) + 1;
      const text = soon + [0, 1, 2, 3].map((n) => `: ✓\r\n\r\n${reading(from + n)}`).join('');
      const bytes = Buffer.from(text).subarray(0, (cuts++ * 31) % Buffer.byteLength(text));
      socket.write(opening);
      const middle = bytes.length >> 1;
      socket.write(bytes.subarray(0, middle));
      setTimeout(() => socket.end(bytes.subarray(middle)), 1);
    });
    const seen: number[] = [];
    for await (const event of stream()) {
      if (event.type === 'reading') seen.push(event.reading.timestamp);
      if (cuts >= tries) break;
    }
    assert.ok(seen.length > tries / 2, `${seen.length} readings`);
    assert.deepEqual(
      seen,
      seen.map((_, index) => index + 1),
    );
  });

  test('tells a reading once when the platform sends it again after a gap', async (t) => {
    const { stream } = await play(
      t,
      sayAndClose(soon, reading(1, 'quiet'), reading(5)),
      say(named('gap', {}), reading(1, 'quiet'), reading(9)),
    );
    assert.deepEqual(await take(stream(), 7), ['connected', 1, 5, 'disconnected', 'connected', 'gap', 9]);
  });

  test('resumes where another program stopped', async (t) => {
    const { stream, visits } = await play(t, say(reading(8)));
    assert.deepEqual(await take(stream({ lastEventId: '7' }), 2), ['connected', 8]);
    assert.equal(visits[0]!.lastEventId, '7');
  });

  test('gives up a connection that has gone silent, but not one that is kept alive', async (t) => {
    const { stream, visits } = await play(
      t,
      say(soon, reading(1)),
      () => {}, // not even an answer
      ({ socket }) => {
        socket.write(opening);
        const pulse = setInterval(() => socket.write(': \n\n'), 100);
        setTimeout(() => socket.write(reading(2)), 1500);
        socket.on('close', () => clearInterval(pulse));
      },
    );
    const events = stream({ silenceMs: 500 });
    assert.deepEqual(await take(events, 2), ['connected', 1]);
    const { value: lost } = await events.next();
    assert.ok(lost?.type === 'disconnected');
    assert.equal(lost.error.message, 'The platform sent nothing for 0.5 s.');
    assert.deepEqual(await take(events, 2), ['connected', 2]);
    assert.equal(visits.length, 3);
  });

  test('waits as long as the platform asks before it reconnects, and longer after failures', async (t) => {
    const busy = ({ socket }: Visit) => socket.end(refusal(503, 'unavailable'));
    const { stream, visits } = await play(t, sayAndClose('retry: 200\n\n'), busy, busy, say(reading(1)));
    assert.deepEqual(await take(stream(), 4), ['connected', 'disconnected', 'connected', 1]);
    const waits = visits.slice(1).map(({ at }, index) => at - visits[index]!.at);
    for (const [index, least] of [200, 400, 800].entries()) assert.ok(waits[index]! >= least - 5, waits.join());
  });

  test('begins when the platform does', async (t) => {
    const { stream } = await play(t, ({ socket }) => socket.destroy(), say(reading(1)));
    const events = stream();
    assert.deepEqual(await take(events, 3), ['disconnected', 'connected', 1]);
  });

  test('reconnects immediately with a new token when its own expires', async (t) => {
    const { stream, visits } = await play(
      t,
      sayAndClose('retry: 20000\n\n', reading(1), named('end', { reason: 'token_expired' })),
      ({ socket }) => socket.end(refusal(401, 'unauthenticated')),
      say(reading(2)),
    );
    const events = stream({}, (refused) => (refused ? 'new' : 'old'));
    assert.deepEqual(await take(events, 4), ['connected', 1, 'connected', 2]); // what else came in between is not told
    assert.deepEqual(
      visits.map(({ authorization }) => authorization),
      ['Bearer old', 'Bearer old', 'Bearer new'],
    );
  });

  test('does not hammer a platform that ends it again and again', async (t) => {
    const { stream, visits } = await play(t, sayAndClose('retry: 500\n\n', named('end', { reason: 'token_expired' })));
    const events = stream({ signal: AbortSignal.timeout(1200) });
    assert.ok((await take(events, 100)).length < 100);
    assert.ok(visits.length <= 3, `${visits.length} visits`);
  });

  test('ends with the refusal when access is lost', async (t) => {
    const { stream } = await play(t, sayAndClose(reading(1), named('end', { reason: 'access_lost' })), ({ socket }) =>
      socket.end(refusal(404, 'not_found')),
    );
    const events = stream();
    assert.deepEqual(await take(events, 2), ['connected', 1]);
    await assert.rejects(events.next(), (error) => error instanceof Problem && error.code === 'not_found');
    assert.deepEqual(await events.next(), { done: true, value: undefined });
  });

  test('reports that the platform is closing, and reconnects', async (t) => {
    const { stream } = await play(t, sayAndClose(soon, named('end', { reason: 'server_closing' })), say(reading(1)));
    const events = stream();
    await events.next();
    const { value } = await events.next();
    assert.ok(value?.type === 'disconnected' && value.error.code === 'unavailable');
    assert.deepEqual(await take(events, 2), ['connected', 1]);
  });

  test('reports an event that is not JSON, and reconnects', async (t) => {
    const { stream } = await play(t, say(soon, 'data: {half\n\n'), say(reading(1)));
    const events = stream();
    await events.next();
    const { value } = await events.next();
    assert.ok(value?.type === 'disconnected');
    assert.match(value.error.message, /not JSON/);
    assert.deepEqual(await take(events, 2), ['connected', 1]);
  });

  for (const { when, taken, isWaiting, script } of [
    { when: 'while it waits for an event', taken: 1, isWaiting: true, script: say('retry: 60000\n\n') },
    { when: 'while it waits for an answer', taken: 0, isWaiting: true, script: () => {} },
    { when: 'while it waits to reconnect', taken: 2, isWaiting: true, script: sayAndClose('retry: 60000\n\n') },
    { when: 'with events that nobody took', taken: 1, isWaiting: false, script: say(reading(1), reading(2)) },
  ]) {
    for (const how of ['an abort', 'return()']) {
      test(`ends at once by ${how} ${when}, and hangs up`, async (t) => {
        const hungUp = Promise.withResolvers<void>();
        const { stream } = await play(t, (visit) => {
          visit.socket.on('close', () => hungUp.resolve());
          script(visit);
        });
        const ending = new AbortController();
        const events = stream({ signal: ending.signal });
        await take(events, taken);
        const waiting = isWaiting ? events.next() : undefined;
        await sleep(100);
        const stopwatch = startStopwatch();
        if (how === 'an abort') ending.abort();
        else await events.return(undefined);
        assert.deepEqual(await (waiting ?? events.next()), { done: true, value: undefined });
        await hungUp.promise;
        assert.ok(stopwatch.ms() < 1000);
      });
    }
  }

  test('reads no faster than it is read', async (t) => {
    const chunk = Array.from({ length: 500 }, (_, n) => reading(n)).join('');
    let sent = 0;
    const { stream } = await play(t, ({ socket }) => {
      socket.write(opening);
      const fill = () => {
        while (sent < 400e6 && socket.write(chunk)) sent += chunk.length;
      };
      socket.on('drain', fill);
      fill();
    });
    const events = stream();
    await take(events, 2);
    let before = -1;
    while (sent !== before) {
      before = sent;
      await sleep(300);
    }
    assert.ok(sent < 40e6, `${sent} bytes were taken`); // what two kernel buffers hold
    assert.equal((await take(events, 400)).length, 400);
  });
});
