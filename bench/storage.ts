import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '#contract/time.ts';
import { openFolderTelemetry } from './fleet/data-folder.ts';
import { compared, type Finding } from './measure/finding.ts';
import { startTimeSeriesPeers } from './peers/start-peers.ts';
import { reach } from './reach.ts';
import { fillStretch } from './workload/fill.ts';
import { type StoredSize, storedSize } from './workload/stored-size.ts';

const ders = Array.from({ length: 12 }, (_, number) => number + 1); // more take longer and do not change the figure
const to = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const from = to - 2 * dayMs;

/** Bytes per reading, ours and those of each installed peer. */
type Sizes = { ours: StoredSize; peers: Map<string, number> };

/** Measures the disk space of 48 h of meter readings after sealing, merging and compaction. */
export async function storage(): Promise<Finding[]> {
  const exact = await sizesOf(0);
  const jittery = await sizesOf(40);
  return [
    ...against('VictoriaMetrics', exact, 'exact 5 s timestamps', 1.15),
    ...against('VictoriaMetrics', jittery, 'with 0-40 ms jitter', 0.5),
    ...against('InfluxDB', exact, 'exact 5 s timestamps', 0.25),
    ...against('InfluxDB', jittery, 'with 0-40 ms jitter', 0.25),
  ];
}

/** Fills the same readings into new stores. */
async function sizesOf(jitterMs: number): Promise<Sizes> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const dataDir = join(folder.path, 'ohmstead');
  await mkdir(dataDir);
  const peers = await startTimeSeriesPeers(folder.path, open);
  const telemetry = await openFolderTelemetry(dataDir);
  const count = await fillStretch(telemetry, { ders, from, to, jitterMs }, { peers });
  await telemetry.seal(to + dayMs);
  await telemetry.close();
  const { whole, readings, rollups } = storedSize(dataDir);
  const sizes = new Map<string, number>();
  for (const peer of peers) {
    await peer.settle();
    sizes.set(peer.name, (await peer.bytes()) / count);
  }
  return { ours: { whole: whole / count, readings: readings / count, rollups: rollups / count }, peers: sizes };
}

/** The readings alone, which is what the peers store, and with our summaries. */
function against(name: string, { ours, peers }: Sizes, time: string, atMost: number): Finding[] {
  const theirs = peers.get(name);
  if (theirs === undefined) return [];
  const finding = (part: string, bytes: number): Finding => ({
    ...compared(reach.storedBytes, 'bytes', [bytes], { name, values: [theirs] }, { of: 'ratio', atMost }),
    part: `${time}, ${part}`,
  });
  return [finding('the readings', ours.readings), finding('with their five-minute and hourly rollups', ours.whole)];
}
