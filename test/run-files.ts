// Runs test files: those of one part of the product share a process, several processes run at a time. Prints one line per process,
// the whole output of one that failed, and at the end the tests that were skipped and the slowest ones. In CI, skipped evidence of
// docs/guarantees.md is a failure.
//
// On a virtual machine the host may take the processors away. A process that fails while the host had more than TEST_STOLEN of
// them (a fifth) is run again after the others, up to TEST_TRIES times.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fleetingFolder } from './fleeting-folder.ts';
import { skippedEvidence, unacceptable } from './proof/evidence.ts';
import type { EndedTest } from './run-group.ts';
import { root } from './source-files.ts';

/** Test files that share a process. */
type Group = { name: string; files: string[] };

type Outcome = Group & {
  isPassed: boolean;
  seconds: number;
  tests: EndedTest[];
  skipped: EndedTest[];
  output: string;
  /** share of the processors that the host gave to other machines meanwhile */
  stolen: number;
};

const memoryIsMeasured = 'test/attacks/growth/growth.test.ts'; // that of its whole process

// Files that take long run beside the others in a process of their own; so do files that look at what their process has loaded.
const apart = [
  'cloud/broker/cluster.test.ts',
  'cloud/broker/rabbitmq.test.ts',
  'test/attacks/authorization.test.ts',
  'test/attacks/edges/slow-senders.test.ts', // waits for half a minute
  memoryIsMeasured,
  'test/canaries/',
  'test/deploy/proxy.test.ts',
  'test/faults/closed-folder.test.ts',
  'test/faults/kill-',
  'test/gateway/bad-input.test.ts',
  'test/gateway/faults.test.ts',
  'test/journey/',
  'test/oauth/lazy.test.ts',
  'test/pack/',
  'test/stack/',
];

/**
 * The tests with a browser are three groups that take equally long. The files of a group share a Chromium, and most of them a
 * platform.
 */
const browserGroups: [name: string, files: RegExp][] = [
  ['test/browser pages', /^test\/browser\/(every-page|home|hostile-names|money|navigation|people)\.test\.ts$/],
  ['test/browser live', /^test\/browser\/(cross-site|live|mishaps|plan|setup)\.test\.ts$/],
  ['test/browser', /^test\/(browser\/|oauth\/page\.test\.ts$)/],
];

/** Large parts of the product, whose folders are groups of their own. */
const large = [
  'cli/commands',
  'cloud/broker',
  'cloud/energy',
  'cloud/store',
  'cloud/telemetry',
  'contract/client',
  'test/',
];

/** For the first run, which knows no durations. */
const usualSeconds: Record<string, number> = {
  'test/browser pages': 230,
  'test/browser': 220,
  'test/browser live': 210,
  'cli/commands': 180,
  cloud: 170,
  gateway: 170,
  'test/faults': 160,
  'cloud/store': 150,
  'test/attacks': 120,
  'contract/client': 95,
  'test/journey/journey.test.ts': 80,
  'cloud/telemetry': 75,
  'test/attacks/growth/growth.test.ts': 73,
  'test/gateway': 71,
  'cloud/energy': 60,
  'test/stack/simulation.test.ts': 60,
  'test/stack/up.test.ts': 55,
  price: 50,
  'test/price': 45,
  'test/canaries/canaries.test.ts': 45,
  'test/pack/pack.test.ts': 45,
  'test/gateway/faults.test.ts': 45,
  plan: 45,
  'test/attacks/authorization.test.ts': 40,
  'test/attacks/edges/slow-senders.test.ts': 40,
  'cloud/broker': 40,
  'cloud/broker/cluster.test.ts': 30,
  'cloud/broker/rabbitmq.test.ts': 30,
  'test/docs': 30,
  cli: 30,
  sim: 30,
  lib: 25,
};

/** A process uses a third of a processor on average, because its tests wait for timers and other programs; and up to a GB. */
const concurrency = Math.min(2 * availableParallelism() + 2, Math.max(2, Math.floor(totalmem() / 2 ** 30)));
const preloaded = [import.meta.resolve('./time-limit.ts'), import.meta.resolve('./running-test.ts')];
const program = [...preloaded.flatMap((file) => ['--import', file]), join(import.meta.dirname, 'run-group.ts')];
// MB. Tests throw away nearly all that they allocate: this saves a sixth of their processor time.
const fewCollections = '--max-semi-space-size=32';
const secondsFile = join(root, 'node_modules/.cache/test-seconds.json');
const { TEST_STOLEN = '0.2', TEST_TRIES = '3' } = process.env;

const folder = await mkdtemp(join(fleetingFolder(), 'ohmstead-tests-'));
await chmod(folder, 0o711); // services run as other users
const seconds = readSeconds();
const waiting = groupsOf(process.argv.slice(2))
  .toSorted(byDuration)
  .map((group) => ({ group, tries: 1 }));
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: concurrency }, work));
await rm(folder, { recursive: true, force: true, maxRetries: 20 }); // a service may still be ending
writeSeconds();
printSum();
printSlowest();
printSkippedEvidence();
if (outcomes.some(({ isPassed }) => !isPassed)) process.exitCode = 1;

async function work(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { group, tries } = next;
    const outcome = await run(group, join(folder, `${group.name.replaceAll('/', '-')}-${tries}`));
    print(outcome);
    if (outcome.isPassed || outcome.stolen < Number(TEST_STOLEN) || tries === Number(TEST_TRIES)) {
      outcomes.push(outcome);
      continue;
    }
    console.log(`↻ The host had ${Math.round(outcome.stolen * 100)} % of the processors: ${group.name} runs again.`);
    waiting.push({ group, tries: tries + 1 });
  }
}

function isLong(name: string): boolean {
  return name.endsWith('.long.test.ts');
}

/** The longest group first, so that no long one is left alone at the end. */
function byDuration(one: Group, other: Group): number {
  return secondsOf(other) - secondsOf(one);
}

function secondsOf({ name }: Group): number {
  return seconds[name] ?? usualSeconds[name] ?? (name.startsWith('test/') ? 20 : 10);
}

/** Loading a program takes longer than most of its tests, so the tests of one part run one after another in one process. */
function groupsOf(files: readonly string[]): Group[] {
  const isApart = (file: string): boolean => isLong(file) || apart.some((start) => file.startsWith(start));
  const groups = Map.groupBy(files, (file) => (isApart(file) ? file : partOf(file)));
  return Array.from(groups, ([name, members]) => ({ name, files: members }));
}

function partOf(file: string): string {
  const ofBrowser = browserGroups.find(([, files]) => files.test(file));
  if (ofBrowser) return ofBrowser[0];
  const [part = '', folder] = file.split('/').slice(0, -1);
  const both = `${part}/${folder ?? ''}`;
  return folder !== undefined && large.some((start) => both.startsWith(start)) ? both : part;
}

async function run(group: Group, resultFile: string): Promise<Outcome> {
  const began = performance.now();
  const before = processorTicks();
  const options = group.name === memoryIsMeasured ? [] : [fewCollections];
  const child = spawn(process.execPath, [...options, ...program, resultFile, ...group.files], {
    cwd: root,
    // Files of the tests live in memory; long tests, which cut the power, use the disk.
    env: isLong(group.name) ? process.env : { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const ended: EndedTest[] = JSON.parse(await readFile(resultFile, 'utf8').catch(() => '[]'));
  const silent = group.files.filter((file) => !ended.some((each) => each.file === file));
  const after = processorTicks();
  return {
    ...group,
    isPassed: code === 0 && silent.length === 0,
    seconds: (performance.now() - began) / 1000,
    stolen: (after.stolen - before.stolen) / Math.max(1, after.all - before.all),
    tests: ended.filter(({ isSuite }) => !isSuite),
    skipped: ended.filter(({ skip }) => skip !== undefined), // a skipped suite skips all of its tests
    output: stdout + stderr + silent.map((file) => `${file} reported no test.\n`).join(''),
  };
}

/** Durations of the last run. */
function readSeconds(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(secondsFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeSeconds(): void {
  for (const { name, seconds: took } of outcomes) seconds[name] = Math.round(took);
  mkdirSync(dirname(secondsFile), { recursive: true });
  writeFileSync(secondsFile, JSON.stringify(seconds));
}

/** Time of all processors in ticks: in total, and the part that the host gave to other machines. */
function processorTicks(): { all: number; stolen: number } {
  if (process.platform !== 'linux') return { all: 0, stolen: 0 };
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function print({ name, files, isPassed, seconds, tests, output }: Outcome): void {
  if (!isPassed) process.stdout.write(output);
  const count = files.length > 1 ? `${files.length} files, ` : '';
  console.log(`${isPassed ? '✔' : '✖'} ${name} (${count}${tests.length} tests, ${seconds.toFixed(1)} s)`);
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
  for (const { name } of broken) console.log(`✖ ${name}: the process ended early, or a file has no tests`);
}

function printSlowest(): void {
  const tests = outcomes.flatMap((outcome) => outcome.tests);
  printLongest('processes', outcomes);
  printLongest(
    'tests, without their subtests',
    tests.map(({ file, title, seconds: took }) => ({ name: `${file}: ${title}`, seconds: took })),
  );
}

function printLongest(title: string, all: readonly { name: string; seconds: number }[]): void {
  const longest = all.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
  console.log(`\nSlowest ${title}:`);
  for (const { name, seconds: took } of longest) console.log(`${took.toFixed(1).padStart(7)} s  ${name}`);
}

function printSkippedEvidence(): void {
  const skipped = outcomes
    .flatMap((outcome) => outcome.skipped)
    .map(({ file, title, skip = '' }) => ({ file, title, reason: skip }));
  const evidence = skippedEvidence(skipped);
  if (evidence.length > 0) console.log('\nSkipped evidence:');
  for (const { file, title, reason } of evidence) console.log(`  ${file}: ${title} (${reason})`);
  if (process.env.CI && unacceptable(skipped).length > 0) process.exitCode = 1;
}
