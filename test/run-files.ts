import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Group, groupsOf } from './groups.ts';
import { skippedEvidence, unacceptable } from './proof/evidence.ts';
import type { EndedTest } from './run-group.ts';
import { root } from './source-files.ts';
import { stolenSince, ticksNow } from './stolen.ts';

// Runs test files, those of a part in one process, in the order they are named. Tells a line for each, all of one that failed,
// and at the end what was skipped that stands as evidence in docs/guarantees.md: in a CI that is a failure.
//
// What fails while the host of the machine has much of its processors (TEST_STOLEN, a fifth) says little of the program: it is told,
// and tried again behind the others (TEST_TRIES, three times in all).

type Outcome = Group & {
  isPassed: boolean;
  seconds: number;
  tests: EndedTest[];
  skipped: EndedTest[];
  /** the part of the processors that others had meanwhile */
  stolen: number;
};

const { positionals: files } = parseArgs({ allowPositionals: true });
const concurrency = availableParallelism() + 2; // at every moment some of them wait for something
const program = ['--import', import.meta.resolve('./patience.ts'), join(import.meta.dirname, 'run-group.ts')];

await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-tests-'));
const { TEST_STOLEN = '0.2', TEST_TRIES = '3' } = process.env;
const waiting = groupsOf(files).map((group) => ({ group, tries: 1 }));
const outcomes: Outcome[] = [];
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { group, tries } = next;
      const outcome = await run(group, join(folder.path, `${group.files[0]!.replaceAll('/', '-')}-${tries}`));
      print(outcome);
      if (outcome.isPassed || outcome.stolen < Number(TEST_STOLEN) || tries === Number(TEST_TRIES)) {
        outcomes.push(outcome);
        continue;
      }
      console.log(
        `↻ The host had ${Math.round(outcome.stolen * 100)} % of the processors: ${group.name} is tried again.`,
      );
      waiting.push({ group, tries: tries + 1 });
    }
  }),
);
printSum();
printSlowest();
printSkipped();
if (outcomes.some(({ isPassed }) => !isPassed)) process.exitCode = 1;

async function run(group: Group, toldFile: string): Promise<Outcome & { output: string }> {
  const began = performance.now();
  const ticks = ticksNow();
  const child = spawn(process.execPath, [...program, toldFile, ...group.files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
  const all: EndedTest[] = JSON.parse(await readFile(toldFile, 'utf8').catch(() => '[]'));
  const silent = group.files.filter((file) => !all.some((each) => each.file === file));
  const complaint = silent.map((file) => `${file} told of no test.\n`).join('');
  return {
    ...group,
    isPassed: code === 0 && silent.length === 0,
    seconds: (performance.now() - began) / 1000,
    stolen: stolenSince(ticks),
    tests: all.filter(({ isSuite }) => !isSuite),
    skipped: all.filter(({ skip }) => skip !== undefined), // a suite that is takes all of its tests along
    output: said + complained + complaint,
  };
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

function print({ name, files: { length }, isPassed, seconds, tests, output }: Outcome & { output: string }): void {
  if (!isPassed) process.stdout.write(output);
  const files = length > 1 ? `${length} files, ` : '';
  console.log(`${isPassed ? '✔' : '✖'} ${name} (${files}${tests.length} tests, ${seconds.toFixed(1)} s)`);
}

function printSum(): void {
  const tests = outcomes.flatMap((outcome) => outcome.tests);
  const failed = tests.filter(({ isPassed }) => !isPassed);
  const skipped = tests.filter(({ skip }) => skip !== undefined);
  const passed = tests.length - failed.length - skipped.length;
  console.log(`\n${tests.length} tests: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped.`);
  for (const { file, title, skip } of skipped) console.log(`﹣ ${file}: ${title} (${skip})`);
  for (const { file, title } of failed) console.log(`✖ ${file}: ${title}`);
  const broken = outcomes.filter((outcome) => !outcome.isPassed && outcome.tests.every(({ isPassed }) => isPassed));
  for (const { name } of broken) console.log(`✖ ${name}: it broke off, or has no tests`);
}

function printSlowest(): void {
  const longest = outcomes.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
  console.log('\nWhat took longest:');
  for (const { name, seconds } of longest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

function printSkipped(): void {
  const skipped = outcomes
    .flatMap((outcome) => outcome.skipped)
    .map(({ file, title, skip = '' }) => ({ file, title, reason: skip }));
  if (skippedEvidence(skipped).length > 0) console.log('\nSkipped, though it is evidence:');
  for (const { file, title, reason } of skippedEvidence(skipped)) console.log(`  ${file}: ${title} (${reason})`);
  if (process.env.CI && unacceptable(skipped).length > 0) process.exitCode = 1;
}
