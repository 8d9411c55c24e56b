import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { type Skipped, skippedEvidence, unbearable } from './proof/skipped-evidence.ts';
import { root } from './source-files.ts';

// Runs test files in the order they are named, and tells at the end which of them took longest, and what was skipped that
// stands as evidence in docs/guarantees.md. In a CI that is a failure.

const { positionals: files } = parseArgs({ allowPositionals: true });
const took: { file: string; seconds: number }[] = [];
const skipped: Skipped[] = [];

const concurrency = availableParallelism() + 1; // at every moment one of them waits for something
const execArgv = ['--import', import.meta.resolve('./patience.ts')];
const events = run({ files, cwd: root, concurrency, timeout: 300_000, execArgv });
events.on('test:complete', ({ name, nesting, details }) => {
  if (nesting === 0 && files.includes(name)) took.push({ file: name, seconds: details.duration_ms / 1000 });
});
events.on('test:pass', ({ name, file, skip }) => {
  if (skip !== undefined && file) skipped.push({ file: relative(root, file), title: name, reason: String(skip) });
});
events.on('test:summary', ({ file, success }) => {
  if (!file && !success) process.exitCode = 1;
});
await pipeline(events, new spec(), process.stdout, { end: false });

const longest = took.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
console.log('\nThe files that took longest:');
for (const { file, seconds } of longest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);

if (skippedEvidence(skipped).length > 0) console.log('\nSkipped, though it is evidence:');
for (const { file, title, reason } of skippedEvidence(skipped)) console.log(`  ${file}: ${title} (${reason})`);
if (process.env.CI && unbearable(skipped).length > 0) process.exitCode = 1;
