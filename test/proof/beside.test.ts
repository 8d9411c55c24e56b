import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runBeside } from './beside.ts';
import type { Proof } from './proof.ts';

type Item = { id: string; load: Proof['load'] };

/** Runs the items on two processors, each until it is ended; returns the ids that run. */
function start(items: Item[]) {
  const ends = new Map<string, () => void>();
  const all = runBeside(items, 2, async ({ id }) => {
    await new Promise<void>((end) => ends.set(id, end));
    ends.delete(id);
  });
  const running = (): string => [...ends.keys()].join(' ');
  async function end(id: string): Promise<string> {
    ends.get(id)!();
    for (let turns = 0; turns < 3; turns++) await turn();
    return running();
  }
  return { all, running, end };
}

test('proofs run at once while their loads fit on the processors', async () => {
  const { all, running, end } = start([
    { id: 'soak', load: 0.6 },
    { id: 'two', load: 2 },
    { id: 'kills', load: 1 },
    { id: 'more kills', load: 1 },
  ]);
  assert.equal(running(), 'soak kills');
  assert.equal(await end('kills'), 'soak more kills');
  assert.equal(await end('soak'), 'more kills');
  assert.equal(await end('more kills'), 'two');
  await end('two');
  await all;
});

test('nothing runs beside a proof that measures times', async () => {
  const { all, running, end } = start([
    { id: 'waits', load: 0 },
    { id: 'storm', load: 'alone' },
    { id: 'waits, too', load: 0 },
    { id: 'waits longer', load: 0 },
  ]);
  assert.equal(running(), 'waits waits, too waits longer');
  await end('waits');
  await end('waits, too');
  assert.equal(await end('waits longer'), 'storm');
  await end('storm');
  await all;
});
