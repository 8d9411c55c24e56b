import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Listening, listen } from './listen.ts';
import { createLog } from './log.ts';

function start(t: TestContext) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ level: 'info', name: 'test', destination });
  const open = (): Listening => {
    const server = createServer();
    t.after(() => server.close());
    return { server, listen: (at) => once(server.listen(at), 'listening') };
  };
  return { lines, open, place: { host: '127.0.0.1', log } };
}

test('when a port is taken, the next one is used and the log names both', async (t) => {
  const { lines, open, place } = start(t);
  const port = await listen(open(), { ...place, port: 0, mayMove: false });
  assert.equal(lines.length, 0);

  const moved = open();
  const bound = await listen(moved, { ...place, port, mayMove: true });
  assert.ok(bound > port);
  assert.equal((moved.server.address() as AddressInfo).port, bound);
  assert.deepEqual([lines[0]!.wanted, lines[0]!.port], [port, bound]);
  await assert.rejects(listen(open(), { ...place, port, mayMove: false }), { code: 'EADDRINUSE' });
});

test('a connection that cannot be accepted is logged and stops nothing', async (t) => {
  const { lines, open, place } = start(t);
  const listening = open();
  const port = await listen(listening, { ...place, port: 0, mayMove: false });
  listening.server.emit('error', new Error('Too many open files.'));
  assert.deepEqual([lines[0]!.level, lines[0]!.port], ['error', port]);
});
