import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compared, type Finding, type Goal } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { reach } from './reach.ts';
import { type Program, spawnProgram } from './start/program.ts';

const idleMs = 5000;
const quick: Goal = { of: 'value', atMost: 1000 };
const small: Goal = { of: 'value', atMost: 130 };
const soon = (seconds: number): Goal => ({ of: 'value', atMost: seconds });

const hello: Program = { args: ['--eval', `console.log('hello')`] };
const bareHttp: Program = {
  args: [
    '--eval',
    `const server = require('node:http').createServer((request, response) => response.end('{}'));
     server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
  ],
};

const cloudIn = (dataDir: string): Program => ({
  args: ['cli/main.js', 'cloud'],
  env: { CLOUD_PORT: '0', DATA_DIR: dataDir },
});

const stackIn = (dataDir: string): Program => ({
  args: ['cli/main.js', 'up', '--data', dataDir],
  env: { CLOUD_PORT: '0', GATEWAY_PORT: '0', MQTT_PORT: '0' },
});

type Start = { waitMs: number; cpuMs: number };

/** Measures the time to the first answer, and the memory of an idle server. */
export async function start(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  let count = 0;
  const fresh = (): Program => cloudIn(join(folder.path, `${++count}`));
  const existing = cloudIn(join(folder.path, 'existing'));
  const wholeStack = (): Promise<Start> => untilWords(stackIn(join(folder.path, `${++count}`)), /^ready /m);
  await untilAnswer(existing);
  await wholeStack(); // builds outdated pages, and fills the compile cache

  const starts = await inTurns(9, {
    fresh: () => untilAnswer(fresh()),
    existing: () => untilAnswer(existing),
    hello: () => untilWords(hello, /hello/),
    bareHttp: () => untilAnswer(bareHttp),
  });
  const stacks = await inTurns(5, { wholeStack, hello: () => untilWords(hello, /hello/) });
  const memory = await inTurns(5, { cloud: () => idleMemory(existing), bareHttp: () => idleMemory(bareHttp) });
  const against = (['hello', 'bareHttp'] as const).map((name) => ({ name: names[name], starts: starts[name] }));
  return [
    cold('whole stack', stacks.wholeStack, stacks.hello, soon(5)),
    cold('cloud alone', starts.fresh, starts.hello, soon(0.7)),
    ...against.flatMap((theirs) => [
      ...comparedStarts('first 200 on /health, fresh folder', starts.fresh, theirs),
      ...comparedStarts('first 200 on /health, existing folder', starts.existing, theirs),
    ]),
    compared(
      `memory after ${idleMs / 1000} s idle`,
      'MB',
      memory.cloud,
      { name: names.bareHttp, values: memory.bareHttp },
      small,
    ),
  ];
}

const names = { hello: 'node prints hello', bareHttp: 'bare node:http' };

/** In a new data folder, on a machine that has run this version before. */
function cold(part: string, ours: Start[], hellos: Start[], goal: Goal): Finding {
  const seconds = (starts: Start[]): number[] => starts.map(({ waitMs }) => waitMs / 1000);
  return { ...compared(reach.start, 's', seconds(ours), { name: names.hello, values: seconds(hellos) }, goal), part };
}

function comparedStarts(what: string, ours: Start[], theirs: { name: string; starts: Start[] }): Finding[] {
  const { name, starts } = theirs;
  const waits = { name, values: starts.map(({ waitMs }) => waitMs) };
  const cpu = { name, values: starts.map(({ cpuMs }) => cpuMs) };
  return [
    compared(
      `${what}, wait`,
      'ms',
      ours.map(({ waitMs }) => waitMs),
      waits,
      quick,
    ),
    compared(
      `${what}, CPU`,
      'ms',
      ours.map(({ cpuMs }) => cpuMs),
      cpu,
    ),
  ];
}

async function untilWords(program: Program, words: RegExp): Promise<Start> {
  const began = performance.now();
  await using running = spawnProgram(program);
  await running.says(words);
  return { waitMs: performance.now() - began, cpuMs: running.cpuMs() };
}

async function untilAnswer(program: Program): Promise<Start> {
  const began = performance.now();
  await using running = spawnProgram(program);
  await running.answers();
  return { waitMs: performance.now() - began, cpuMs: running.cpuMs() };
}

async function idleMemory(program: Program): Promise<number> {
  await using running = spawnProgram(program);
  await running.answers();
  await sleep(idleMs);
  return running.memoryMb();
}
