import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '#test/source-files.ts';
import { compared, type Finding, type Goal } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { type Program, spawnProgram } from './start/program.ts';

const idleMs = 5000;
const quick: Goal = { of: 'value', atMost: 1000 };
const small: Goal = { of: 'value', atMost: 130 };

const hello: Program = { args: ['--eval', `console.log('hello')`] };
const bareHttp: Program = {
  args: [
    '--eval',
    `const server = require('node:http').createServer((request, response) => response.end('{}'));
     server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
  ],
};

const cli = existsSync(join(root, 'cli/main.ts')) ? ['cli/main.ts', 'cloud'] : ['bench/servers/cloud.ts'];
const cloudIn = (dataDir: string): Program => ({ args: cli, env: { CLOUD_PORT: '0', DATA_DIR: dataDir } });

/** From nothing to the first answer, and the memory of a server that nobody calls. */
export async function start(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  let count = 0;
  const fresh = (): Program => cloudIn(join(folder.path, `${++count}`));
  const existing = cloudIn(join(folder.path, 'existing'));
  await untilAnswer(existing);

  const ms = await inTurns(9, {
    fresh: () => untilAnswer(fresh()),
    existing: () => untilAnswer(existing),
    hello: () => untilOutput(hello),
    bareHttp: () => untilAnswer(bareHttp),
  });
  const mb = await inTurns(5, { cloud: () => idleMemory(existing), bareHttp: () => idleMemory(bareHttp) });
  const node = { name: 'node prints hello', values: ms.hello };
  const server = { name: 'bare node:http', values: ms.bareHttp };
  return [
    compared('first 200 on /health, fresh folder', 'ms', ms.fresh, server, quick),
    compared('first 200 on /health, fresh folder', 'ms', ms.fresh, node),
    compared('first 200 on /health, existing folder', 'ms', ms.existing, server, quick),
    compared('first 200 on /health, existing folder', 'ms', ms.existing, node),
    compared(`memory after ${idleMs / 1000} s idle`, 'MB', mb.cloud, { ...server, values: mb.bareHttp }, small),
  ];
}

async function untilOutput(program: Program): Promise<number> {
  const began = performance.now();
  await using running = spawnProgram(program);
  await running.says(/hello/);
  return performance.now() - began;
}

async function untilAnswer(program: Program): Promise<number> {
  const began = performance.now();
  await using running = spawnProgram(program);
  await running.answers();
  return performance.now() - began;
}

async function idleMemory(program: Program): Promise<number> {
  await using running = spawnProgram(program);
  await running.answers();
  await sleep(idleMs);
  const status = await readFile(`/proc/${running.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1000;
}
