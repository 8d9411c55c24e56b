import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OutboxCounts } from '#gateway/uplink/outbox/outbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const program = fileURLToPath(new URL('./full-disk-process.ts', import.meta.url));
const mount = 'mount -t tmpfs -o size=1m ohmstead';

// A file system of its own for one process, gone with it.
const inNamespace = (folder: string, command: string): [string, string[]] => [
  'unshare',
  ['--map-root-user', '--mount', 'sh', '-c', `${mount} ${folder} && exec ${command}`],
];
const canMount = spawnSync(...inNamespace(tmpdir(), 'true')).status === 0;

type Counts = OutboxCounts & { taken: number };
type Said = { thinning: Counts; full: { handedOn: number }; freed: Counts; reopened: OutboxCounts };

const lostOf = ({ dropped }: OutboxCounts): number => Object.values(dropped).reduce((sum, count) => sum + count, 0);

test('a full disk thins the outbox, keeps nobody from publishing, and is forgotten when there is room', {
  skip: canMount ? false : 'a small disk cannot be mounted here',
}, async (t) => {
  const folder = temporaryFolder(t);
  const [command, args] = inNamespace(folder, `"${process.execPath}" "${program}" "${folder}"`);
  const { stdout } = await promisify(execFile)(command, args, { timeout: 60_000 });
  const { thinning, full, freed, reopened } = JSON.parse(stdout) as Said;
  console.log({ thinning, full, freed, reopened });
  assert.ok(thinning.thinned > 0, 'samples became means');
  for (const counts of [thinning, freed]) {
    assert.equal(counts.waiting + counts.thinned + lostOf(counts), counts.taken, 'every sample is accounted for');
    assert.equal(counts.unwritten, 0);
  }
  assert.equal(full.handedOn, 500);
  assert.equal(reopened.waiting, freed.waiting);
  assert.deepEqual(reopened.dropped, {}, 'nothing was damaged');
});
