import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TelemetryStore } from '../telemetry-store.ts';
import { rawOf } from './answers.ts';
import { answersOf, ders, now, sampleOf, type TwoServers } from './two-servers.ts';

// Moves a partition, and kills itself when it sends a statement, which may or may not be executed.
const mover = `
  import pg from 'pg';
  import { movePartition } from '#cloud/store/telemetry/postgres/move.ts';
  import { PartitionMap } from '#cloud/store/telemetry/postgres/partitions.ts';
  import { createPool } from '#cloud/store/pool.ts';
  const { names, part, target, statement, isSent } = JSON.parse(process.argv[1]);
  const pools = names.map(({ name, url }) => ({ name, reading: createPool(url, 4, () => {}) }));
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (...args) {
    count++;
    const isLast = count === statement || String(args[0]?.text ?? args[0]).includes(statement);
    if (isLast && !isSent) process.kill(process.pid, 'SIGKILL');
    const result = query.apply(this, args);
    if (isLast) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2);
    return result;
  };
  await movePartition(new PartitionMap(pools), { part, target, signal: new AbortController().signal, onProgress: () => {} });
  process.exit(0);
`;

/** `statement`: its number, or a part of its text. `isSent`: killed after it was sent. */
export type Kill = { part: number; target: string; statement: number | string; isSent: boolean };

/** Runs a process that moves a partition and is killed at a statement. Returns whether the move was complete before that. */
async function moveInterrupted({ names }: TwoServers, kill: Kill): Promise<boolean> {
  const args = ['--input-type=module-typescript', '--eval', mover, JSON.stringify({ names, ...kill })];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  assert.ok(code === 0 || signal === 'SIGKILL', `the process ended with ${code} ${signal}`);
  return code === 0;
}

/**
 * Kills the process that moves a partition at a statement, while others write. Afterwards every acknowledged reading is
 * stored once, new ones are accepted, and history is the same. Returns whether the move was complete.
 */
export async function tryKill(servers: TwoServers, store: TelemetryStore, kill: Kill, from: number) {
  const before = await answersOf(store);
  let acknowledged = from;
  const over = new AbortController();
  const write = async (): Promise<void> => {
    for (let n = from; !over.signal.aborted || n < from + 3; n++) {
      await store.append(ders.map((der) => sampleOf(der, n)));
      acknowledged = n + 1;
      await sleep(20);
    }
  };
  const writing = write();
  const isComplete = await moveInterrupted(servers, kill);
  const reached = acknowledged;
  await store.append(ders.map((der) => sampleOf(der, reached))); // also when the partition was left fenced
  over.abort();
  await writing;
  const says = `killed at statement ${kill.statement}`;
  for (const der of ders) {
    const numbers = (await rawOf(store, der, now, now + 1e9)).map(({ values }) => values.n);
    assert.deepEqual(numbers, [...Array(Math.max(acknowledged, reached + 1)).keys()], says);
  }
  assert.deepEqual(await answersOf(store), before, says);
  return { isComplete, next: Math.max(acknowledged, reached + 1) };
}
