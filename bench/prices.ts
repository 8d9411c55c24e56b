import { mkdir, mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Reply, replyTo } from './http/reply.ts';
import { awake } from './measure/awake.ts';
import { compared, type Finding, type Goal, measured } from './measure/finding.ts';
import { load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import { type ServerProcess, startServer } from './measure/server-process.ts';
import { fillPrices } from './prices/fill.ts';

const rounds = 9;
const amount = 4000;
const connections = 4;
const path = '/price/electricity/SE3';

/** Measures repeated answers against bare node:http with the same bytes, and the disk space of two years of prices. */
export async function prices(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const store = join(folder.path, 'simulated'); // the service stores these apart from real ones
  await mkdir(store);
  const days = fillPrices(store);
  const { size } = await stat(join(store, 'prices.db'));
  const starts: number[] = [];
  for (let n = 0; n < 5; n++) starts.push(await untilFirstAnswer(folder.path));

  await using server = await startServer(import.meta.resolve('./servers/prices.ts'), { args: [folder.path] });
  const request: Request = { method: 'GET', path, headers: {} };
  await replyTo(server.url, request); // fetches tomorrow
  const reply = await replyTo(server.url, request);
  const known = { ...request, headers: { 'if-none-match': reply.headers.etag! } };
  const { 'content-length': _, 'content-type': __, ...headers } = reply.headers;
  return [
    await against(server, {
      what: 'cached prices of an area, CPU',
      request,
      status: 200,
      reply,
      goal: { of: 'ratio', atMost: 1.6 },
    }),
    await against(server, {
      what: 'the same, not changed (304), CPU',
      request: known,
      status: 304,
      reply: { status: 304, headers, body: '' },
    }),
    measured(`${days} days of areas with their documents`, 'MB', [size / 1e6], { of: 'value', atMost: 40 }),
    measured('process start to first answer, with them', 'ms', starts, { of: 'value', atMost: 1000 }),
  ];
}

type Case = { what: string; request: Request; status: 200 | 304; reply: Reply; goal?: Goal };

async function against(server: ServerProcess, { what, request, status, reply, goal }: Case): Promise<Finding> {
  await using bare = await startServer(import.meta.resolve('./servers/bare.ts'), { args: [JSON.stringify(reply)] });
  const run = (each: ServerProcess) => () => awake(() => load(each, [request], { amount, connections, status }));
  const contenders = { ours: run(server), theirs: run(bare) };
  await inTurns(2, contenders); // warms up the compiler
  const { ours, theirs } = await inTurns(rounds, contenders);
  const cpu = (costs: typeof ours): number[] => costs.map(({ cpuUs }) => cpuUs);
  return compared(what, 'µs', cpu(ours), { name: 'bare node:http', values: cpu(theirs) }, goal);
}

async function untilFirstAnswer(dataDir: string): Promise<number> {
  const began = performance.now();
  await using server = await startServer(import.meta.resolve('./servers/prices.ts'), {
    args: [dataDir],
    env: { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }, // as the command does
  });
  await replyTo(server.url, { method: 'GET', path, headers: {} });
  return performance.now() - began;
}
