import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '#sim/fleet/gateway.ts';
import { createLedger, type Ledger } from '#sim/fleet/ledger.ts';
import type { Contender } from './kills/contender.ts';
import { startOurs } from './kills/ours.ts';
import { asContender } from './kills/peer.ts';
import type { Finding } from './measure/finding.ts';
import { startTimeSeriesPeers } from './peers/start-peers.ts';
import { reach } from './reach.ts';

const times = 12;
const steadyMs = 3000;
const moreMs = 4000;
const patienceMs = 60_000;

/** Counts acknowledged readings that are missing after the process was killed while writing, twelve times. */
export async function kills(): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const dataDir = join(folder.path, 'ohmstead');
  await mkdir(dataDir);
  const findings = [await lossOf(open.use(await startOurs(dataDir)))];
  for (const peer of await startTimeSeriesPeers(folder.path, open)) findings.push(await lossOf(asContender(peer)));
  return findings;
}

async function lossOf(contender: Contender): Promise<Finding> {
  const ledger = createLedger();
  await killUnderLoad(contender, ledger);
  const { acknowledged, lost } = ledger.check(await contender.stored());
  return {
    what: reach.kills,
    part: contender.name,
    value: lost,
    unit: 'readings',
    against: `${acknowledged} acknowledged, a kill every ${steadyMs / 1000} to ${(steadyMs + moreMs) / 1000} s`,
    ratio: null,
    rounds: times,
    goal: contender.isOurs ? { of: 'value', atMost: 0 } : undefined,
  };
}

async function killUnderLoad(contender: Contender, ledger: Ledger): Promise<void> {
  const random = randomFrom(12);
  const stop = contender.report(ledger);
  try {
    for (let kill = 0; kill < times; kill++) {
      await untilAcknowledged(contender, ledger);
      await sleep(steadyMs + random() * moreMs);
      await contender.killAndRestart();
    }
  } finally {
    await stop();
  }
}

/** A kill before anything was acknowledged proves nothing. */
async function untilAcknowledged({ name, lastRefusal }: Contender, ledger: Ledger): Promise<void> {
  const before = ledger.acknowledged();
  const until = performance.now() + patienceMs;
  while (ledger.acknowledged() === before) {
    if (performance.now() > until) {
      throw new Error(`${name} acknowledges nothing any more.`, { cause: lastRefusal?.() });
    }
    await sleep(10);
  }
}
