import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFanOut } from './fan-out.ts';

const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A channel with one listener, and each parcel it got as text. */
function watched() {
  const fanOut = createFanOut();
  const got: string[] = [];
  const listener = ({ text }: { text: string }): void => void got.push(text);
  fanOut.add('site', listener);
  return { fanOut, got, listener };
}

test('the first event after a pause is sent at once, with the others of the same turn', async () => {
  const { fanOut, got } = watched();
  for (const event of ['a', 'b', 'c']) fanOut.emit('site', event, 'soon');
  await immediate();
  assert.deepEqual(got, ['abc']);
});

test('events that follow soon are sent together with the next tick; after an idle tick the next event is sent at once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { fanOut, got } = watched();
  fanOut.emit('site', 'a', 'soon');
  await immediate();
  for (const event of ['b', 'c']) {
    fanOut.emit('site', event, 'soon');
    await immediate();
  }
  assert.deepEqual(got, ['a']);
  t.mock.timers.tick(50);
  await immediate();
  assert.deepEqual(got, ['a', 'bc']);
  t.mock.timers.tick(50);
  fanOut.emit('site', 'd', 'soon');
  await immediate();
  assert.deepEqual(got, ['a', 'bc', 'd']);
});

test('an urgent event takes the waiting ones along, in order', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { fanOut, got } = watched();
  fanOut.emit('site', 'a', 'soon');
  await immediate();
  fanOut.emit('site', 'b', 'soon');
  fanOut.emit('site', 'news', 'now');
  await immediate();
  assert.deepEqual(got, ['a', 'bnews']);
});

test('all listeners of a channel get the same bytes; a later listener gets only later events', async () => {
  const { fanOut, got } = watched();
  const chunks: Buffer[][] = [[], []];
  fanOut.emit('site', 'before', 'soon');
  for (const list of chunks) fanOut.add('site', ({ chunk }) => list.push(chunk));
  assert.deepEqual(got, ['before']);
  fanOut.emit('site', 'é', 'now');
  await immediate();
  assert.equal(chunks[0]![0], chunks[1]![0]);
  assert.deepEqual(
    chunks.map((list) => list.map(String)),
    [['2\r\né\r\n'], ['2\r\né\r\n']],
  );
});

test('a channel exists from its first listener to its last', async () => {
  const { fanOut, got, listener } = watched();
  const other = (): void => {};
  assert.equal(fanOut.add('site', other), false);
  assert.equal(fanOut.remove('site', other), false);
  assert.equal(fanOut.remove('site', other), false);
  fanOut.emit('site', 'a', 'soon');
  assert.equal(fanOut.remove('site', listener), true);
  assert.equal(fanOut.hasListeners('site'), false);
  fanOut.emit('site', 'b', 'now');
  await immediate();
  assert.deepEqual(got, []);
  assert.equal(fanOut.add('site', listener), true);
});

test('many due channels do not block the event loop', async () => {
  const fanOut = createFanOut();
  const channels = Array.from({ length: 40 }, (_, n) => String(n));
  let sent = 0;
  for (const name of channels) {
    fanOut.add(name, () => {
      for (const end = performance.now() + 1; performance.now() < end; );
      sent++;
    });
    fanOut.emit(name, 'x', 'soon');
  }
  await immediate();
  assert.ok(sent > 0 && sent < channels.length, `${sent} of ${channels.length} in one turn`);
  while (sent < channels.length) await immediate();
});
