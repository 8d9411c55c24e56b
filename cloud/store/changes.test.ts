import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { until } from '#test/until.ts';
import { type Change, listenForChanges } from './changes.ts';

test('logs the loss of the notification connection once, and its return', { skip: postgresMissing() }, async (t) => {
  const database = await freshDatabase();
  t.after(() => database.drop());
  const url = new URL(database.url);
  const postgresPort = Number(url.port);
  let isAway = true;
  let attempts = 0;
  const wire = createServer((socket) => {
    attempts++;
    socket.on('error', () => {});
    if (isAway) return socket.destroy();
    return socket.pipe(connect(postgresPort, '127.0.0.1').on('error', () => {})).pipe(socket);
  });
  url.port = String(await listenOnLoopback(wire));
  t.after(() => wire.close());

  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) };
  const log = createLog({ level: 'info', name: 'test', destination });
  const heard: Change[] = [];
  const listener = listenForChanges(url.href, { self: 'me', onChange: (change) => void heard.push(change), log });
  t.after(() => listener.close());

  await until(
    () => attempts,
    (count) => count >= 3,
  );
  isAway = false;
  await until(() => heard.length);
  assert.deepEqual(heard, [{ what: 'anything' }]);
  assert.deepEqual(logged, [
    'failed to listen for changes of other processes',
    'listening for changes of other processes again',
  ]);
});
