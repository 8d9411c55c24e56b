import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InterestMessage, Interests } from './interests.ts';

/** Processes on a network that loses messages when the test says so, and a clock of the test. */
function network() {
  const nodes = new Map<string, Interests>();
  let now = 0;
  let loses: (from: string, to: string, message: InterestMessage) => boolean = () => false;
  let sent: InterestMessage['kind'][] = [];
  const missed: string[] = [];

  function open(name: string): Interests {
    const send = (message: InterestMessage, to?: string): void => {
      sent.push(message.kind);
      for (const [id, node] of nodes) {
        if (id === name || (to !== undefined && to !== id) || loses(name, id, message)) continue;
        queueMicrotask(() => node.receive(name, structuredClone(message)));
      }
    };
    const node = new Interests({ send, now: () => now, soon: setImmediate, onMissed: () => missed.push(name) });
    nodes.set(name, node);
    node.join();
    return node;
  }

  return {
    open,
    remove: (name: string) => nodes.delete(name),
    pass(ms: number): void {
      for (let left = ms; left > 0; left -= 1000) {
        now += 1000;
        for (const node of nodes.values()) node.tick();
      }
    },
    lose(given: typeof loses): void {
      loses = given;
    },
    /** Returns the processes that were told since the last call that they may have missed something. */
    missed: () => missed.splice(0),
    sent(): InterestMessage['kind'][] {
      const before = sent;
      sent = [];
      return before;
    },
  };
}

/** Resolves to false for a promise that is still pending after the messages in flight were delivered. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return settled;
}

test('a topic is wanted by the processes that added it, until they remove it', async () => {
  const { open } = network();
  const [a, b, c] = [open('a'), open('b'), open('c')];
  await Promise.all([b.add('live/1'), c.add('live/1'), c.add('live/2')]);
  assert.deepEqual(a.wanting('live/1').sort(), ['b', 'c']);
  assert.deepEqual(a.wanting('live/2'), ['c']);
  assert.equal(a.isWanted('live/3'), false);
  assert.equal(c.isWanted('live/2'), false, 'others matter, not itself');
  c.remove('live/1');
  await b.add('live/4');
  await nextTurn();
  assert.deepEqual(a.wanting('live/1'), ['b']);
});

test('adding resolves once every other process knows', async () => {
  const { open, lose, pass } = network();
  const [a] = [open('a'), open('b'), open('c')];
  await nextTurn();
  lose((_, to, message) => to === 'c' && message.kind === 'change');
  const added = a.add('live/1');
  assert.equal(await isSettled(added), false, 'c has not heard of it');
  lose(() => false);
  pass(1000); // c sees from the next sign of life that it missed something
  assert.equal(await isSettled(added), true);
});

test('a process that does not answer delays nobody for longer than two seconds', async () => {
  const { open, lose, pass } = network();
  const [a] = [open('a'), open('b')];
  await nextTurn();
  lose((from) => from === 'b');
  const added = a.add('live/1');
  assert.equal(await isSettled(added), false);
  pass(2000);
  assert.equal(await isSettled(added), true);
});

test('a process that missed changes learns all topics, in one message', async () => {
  const { open, lose, pass, sent } = network();
  const [a, b] = [open('a'), open('b')];
  await a.add('live/0');
  lose((_, to) => to === 'b');
  const adding = Array.from({ length: 50 }, (_, i) => a.add(`live/${i + 1}`));
  a.remove('live/0');
  await nextTurn();
  lose(() => false);
  sent();
  pass(1000);
  await Promise.all(adding);
  assert.deepEqual([b.wanting('live/50'), b.wanting('live/0')], [['a'], []]);
  assert.equal(sent().filter((kind) => kind === 'topics').length, 1);
});

test('topics that are added together are announced together', async () => {
  const { open, sent } = network();
  const [a] = [open('a'), open('b')];
  await nextTurn();
  sent();
  await Promise.all(Array.from({ length: 300 }, (_, i) => a.add(`live/${i}`)));
  assert.deepEqual(sent(), ['change', 'seen']);
});

test('a process that joins later knows the topics of the others, and they know its', async () => {
  const { open } = network();
  const a = open('a');
  await a.add('live/1');
  const b = open('b');
  await b.add('live/2');
  assert.deepEqual([b.wanting('live/1'), a.wanting('live/2')], [['a'], ['b']]);
});

test('nothing is sent to a process that was silent for six seconds, left, or lost its connection', async () => {
  const { open, remove, pass } = network();
  const [a, b, c] = [open('a'), open('b'), open('c')];
  await Promise.all([b.add('live/1'), c.add('live/1')]);
  remove('b');
  pass(6000);
  assert.deepEqual(a.wanting('live/1').sort(), ['b', 'c'], 'it may be slow');
  await nextTurn();
  pass(1000);
  assert.deepEqual(a.wanting('live/1'), ['c']);
  c.leave();
  await nextTurn();
  assert.deepEqual(a.wanting('live/1'), []);
  const d = open('d');
  await d.add('live/1');
  a.forget();
  assert.equal(a.peers, 0);
});

test('a process is told that it may have missed something, but not when others start or end', async () => {
  const { open, remove, lose, pass, missed } = network();
  const live = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      pass(1000);
      await nextTurn();
    }
  };
  const [a, b] = [open('a'), open('b')];
  await Promise.all([a.add('live/1'), b.add('live/1')]);
  await live(10);
  open('c');
  await nextTurn();
  await live(3);
  remove('c');
  await live(10);
  assert.deepEqual(missed(), []);

  lose((from, to) => from === 'a' && to === 'b'); // b takes it for gone, and sends it nothing
  await live(10);
  assert.deepEqual(missed(), []);
  lose(() => false);
  await live(3);
  assert.deepEqual([...new Set(missed())], ['a']);

  b.forget(); // b was not connected for a moment
  b.join();
  await nextTurn();
  assert.deepEqual(missed(), ['a']);
});
