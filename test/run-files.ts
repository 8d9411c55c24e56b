import { availableParallelism } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { root } from './source-files.ts';

// Runs test files in the order they are named, and tells at the end which of them took longest.

const { positionals: files } = parseArgs({ allowPositionals: true });
const took: { file: string; seconds: number }[] = [];

const concurrency = availableParallelism() + 1; // at every moment one of them waits for something
const execArgv = ['--import', import.meta.resolve('./patience.ts')];
const events = run({ files, cwd: root, concurrency, timeout: 300_000, execArgv });
events.on('test:complete', ({ name, nesting, details }) => {
  if (nesting === 0 && files.includes(name)) took.push({ file: name, seconds: details.duration_ms / 1000 });
});
events.on('test:summary', ({ file, success }) => {
  if (!file && !success) process.exitCode = 1;
});
await pipeline(events, new spec(), process.stdout, { end: false });

const longest = took.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
console.log('\nThe files that took longest:');
for (const { file, seconds } of longest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
