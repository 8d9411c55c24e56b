import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#contract/client/connect.ts';
import { keyFromPem, makeKey } from '#contract/client/key.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { freePort } from '#test/free-port.ts';
import { startCloudServer } from './cloud-server.ts';
import type { Order, StreamFigures } from './live/viewers.ts';
import { startChild } from './measure/child.ts';
import { type Finding, measured } from './measure/finding.ts';
import type { OwnServer, ServerProcess } from './measure/server-process.ts';
import { table } from './measure/table.ts';
import { askSteadily } from './soak/ask-steadily.ts';
import { follow } from './soak/follow.ts';
import type { Health } from './soak/health.ts';
import { type Play, playFleet, type Verdict } from './soak/play-fleet.ts';
import { leastOfMinutes, slopePerHour } from './soak/slope.ts';
import { leaveUnsealedHours } from './soak/unsealed-hours.ts';

const usualMinutes = 20;
const rate = 200;
// In addition to the measured minutes: fills every cache to its limit and seals an hour, then continues at the usual rate.
// Requests all sites, so that the readings kept for queries are at their limit at any time of an hour.
const warmUp = { share: 0.25, atMostMinutes: 5, rate: 10 * rate };
const settling = { share: 0.75, atMostMinutes: 15 };
const viewers = 50;
const asksPerSecond = 20;

/** Runs a mixed load for `MINUTES` and checks for growth and lost readings. */
export async function soak(
  minutes = Number(process.env.MINUTES ?? usualMinutes),
  program?: string,
): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  await using open = new AsyncDisposableStack();
  const { pem } = await makeKey();
  const keyFile = join(folder.path, 'identity.pem');
  await writeFile(keyFile, pem, { mode: 0o600 });
  const dataDir = join(folder.path, 'data');
  const port = await freePort(); // the fleet stores the address of its platform
  const start = () => startCloudServer(dataDir, { port, ...(program && { program }) });
  const play = { folder: folder.path, keyFile };
  await enrolFleet(await start(), play);
  await leaveUnsealedHours(dataDir);
  const server = open.use(await start());
  const minutesOf = ({ share, atMostMinutes }: typeof settling): number => Math.min(minutes * share, atMostMinutes);
  const warming = open.use(await playFleet(server, { ...play, minutes: minutesOf(warmUp), rate: warmUp.rate }));
  const api = await connect(server.url, { key: await keyFromPem(pem) });
  const sites: string[] = [];
  for await (const { id } of api.pages(listSites)) sites.push(id);
  const asking = open.use(askSteadily(api, sites, asksPerSecond));
  const watching = open.use(await watch(server, sites.slice(0, viewers), await api.token()));
  const atFirst = await warming.verdict;
  const fleet = open.use(await playFleet(server, { ...play, minutes: minutesOf(settling) + minutes, rate }));
  await follow(server, minutesOf(settling), fleet.isOver);
  const health = await follow(server, minutes, fleet.isOver);
  const { events, open: stillOpen } = await watching.ask<StreamFigures>({ do: 'tell' } satisfies Order);
  return [
    ...growthOf(health),
    measured('readings seen by viewers', '', [events]),
    measured('viewers that were cut off', '', [viewers - stillOpen], { of: 'value', atMost: 0 }),
    measured('requests answered', '', [asking.answered()]),
    measured('requests that failed', '', [asking.failed()], { of: 'value', atMost: 0 }),
    ...lossesOf(await fleet.verdict),
    ...lossesOf(atFirst, ', warming up'),
  ];
}

/** So that the DERs exist before the hours that they are to have measured. */
async function enrolFleet(started: OwnServer, play: Pick<Play, 'folder' | 'keyFile'>): Promise<void> {
  await using server = started;
  await using fleet = await playFleet(server, { ...play, minutes: 0.1, rate: 1 });
  await fleet.verdict;
}

async function watch(server: ServerProcess, sites: readonly string[], token: string) {
  await using open = new AsyncDisposableStack();
  const child = open.use(startChild(import.meta.resolve('./live/viewers.ts')));
  const paths = sites.map((id) => `/stream/sites/${id}`);
  const order: Order = { do: 'open', port: Number(new URL(server.url).port), token, paths };
  await child.ask<StreamFigures>(order);
  const kept = open.move();
  return { ask: child.ask, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function growthOf(settled: readonly Health[]): Finding[] {
  const pick = (name: keyof Health): number[] => settled.map((each) => each[name]);
  const growth = (name: 'usedMb' | 'heldMb' | 'ownMb' | 'residentMb' | 'heapMb' | 'openFiles') =>
    slopePerHour(leastOfMinutes(settled.map((each) => ({ minute: each.minute, value: each[name] }))));
  return [
    measured('memory that objects take', 'MB', pick('usedMb')),
    measured('growth of memory that objects take', 'MB/h', [growth('usedMb')]),
    measured('memory that is held', 'MB', pick('heldMb')),
    measured('growth of memory that is held', 'MB/h', [growth('heldMb')]),
    measured('memory of its own', 'MB', pick('ownMb')),
    measured('growth of memory of its own', 'MB/h', [growth('ownMb')], { of: 'value', atMost: 1 }),
    measured('resident memory, mapped files included', 'MB', pick('residentMb')),
    measured('growth of resident memory, mapped files included', 'MB/h', [growth('residentMb')]),
    measured('growth of the heap', 'MB/h', [growth('heapMb')]),
    measured('open files', '', pick('openFiles')),
    measured('growth of open files', '/h', [growth('openFiles')], { of: 'value', atMost: 10 }),
    measured('delay of the event loop, 99 %', 'ms', pick('loopP99Ms'), { of: 'value', atMost: 20 }),
  ];
}

const lossesOf = (
  { sent, acknowledged, stored, lost, twice, phantom, p50_ms, p99_ms }: Verdict,
  when = '',
): Finding[] => [
  measured(`readings sent${when}`, '', [sent]),
  measured(`readings acknowledged${when}`, '', [acknowledged]),
  measured(`readings stored${when}`, '', [stored]),
  measured(`readings lost, twice or never sent${when}`, '', [lost + twice + phantom], { of: 'value', atMost: 0 }),
  measured(`reading to acknowledgement, median${when}`, 'ms', [p50_ms]),
  measured(`reading to acknowledgement, 99 %${when}`, 'ms', [p99_ms]),
];

if (import.meta.main) console.log(table(await soak()));
