import { createCellSums } from '#cloud/public/cell-sums.ts';
import { openStore } from '#cloud/store/store.ts';
import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { listCellTelemetryRoutes } from '#cloud/store/telemetry-registry.ts';
import { createLatest } from '#cloud/telemetry/live.ts';
import type { Cell } from '#contract/cloud/public.ts';
import { recentMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { type Finding, measured } from '../measure/finding.ts';
import { load } from '../measure/load.ts';
import { median } from '../measure/median.ts';
import { inTurns } from '../measure/rounds.ts';
import { besidePeers } from '../peers/beside-peers.ts';
import { get } from '../peers/get.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { reach } from '../reach.ts';
import { idOf } from '../registry/fill.ts';
import type { AskedHistory } from './ask.ts';
import { timesOf } from './time.ts';
import { type Ders, now } from './world.ts';

type InProcess = { telemetry: TelemetryStore; dataDir: string; ders: Ders; peers: readonly TimeSeriesPeer[] };

const shown = 50;
const rounds = 7;
const amount = 20;
const log = createLog({ level: 'warn', name: 'bench' });

/** Compares reading the latest values from a running platform and from other databases. */
export async function askLatest({ telemetry, dataDir, ders, peers }: InProcess): Promise<Finding[]> {
  const store = await openStore({ dataDir, log });
  const latest = createLatest(telemetry, { isShared: false });
  const { h3_index: cell } = await store.db.selectFrom('cells').selectAll().executeTakeFirstOrThrow();
  const listRoutes = (asked: string) => listCellTelemetryRoutes(store.db, asked);
  const { sums } = createCellSums({ listRoutes, latest, minSites: 1, isShared: false });
  const from = (run: number): number => (run * 7) % (ders.fleet.length - shown);
  const read = (run: number) => latest.get(ders.fleet.slice(from(run), from(run) + shown));
  const add = () => sums(cell, now - recentMs);

  const fromDisk = await timesOf(amount, (run) => telemetry.latest(ders.fleet.slice(from(run), from(run) + shown)));
  const latestMs = await compete(
    (run) => read(run),
    peers,
    (peer) => peer.latest(ders.fleet.slice(0, shown), now),
  );
  const sumMs = await compete(add, peers, (peer) => peer.sumOfLatest(now));
  await store.close();
  const row = (part: string, { ours, theirs }: Competition, atMost: number): Finding[] =>
    besidePeers({ what: reach.latest, part, unit: 'ms', values: ours, goal: { of: 'value', atMost } }, theirs);
  return [
    ...row('latest 15 fields of 50 DERs', latestMs, 1),
    ...row('the sum of the latest W', sumMs, 0.1),
    measured('latest of 50 DERs, store', 'ms', fromDisk),
  ];
}

type Competition = { ours: number[]; theirs: { name: string; values: number[] }[] };

/** Returns the milliseconds of a call in this process, and of a request to each peer. */
async function compete(
  call: (run: number) => Promise<unknown>,
  peers: readonly TimeSeriesPeer[],
  pathOf: (peer: TimeSeriesPeer) => string,
): Promise<Competition> {
  const contenders: Record<string, () => Promise<number>> = { ours: async () => median(await timesOf(amount, call)) };
  for (const peer of peers) {
    const path = pathOf(peer);
    if (peer.countValues(JSON.parse(await get(peer.url + path))) === 0) throw new Error(`${peer.name} has no ${path}.`);
    const requests = [{ method: 'GET', path, headers: {} }];
    contenders[peer.name] = async () => (await load(peer, requests, { amount, connections: 1 })).waitMs;
  }
  await inTurns(1, contenders);
  const { ours, ...theirs } = await inTurns(rounds, contenders);
  return { ours: ours!, theirs: Object.entries(theirs).map(([name, values]) => ({ name, values })) };
}

/** Measures the same over HTTP, where there is a route for one DER and one for a cell. */
export async function askLatestOverHttp({ server, headers }: AskedHistory): Promise<Finding[]> {
  const { cells }: { cells: Cell[] } = JSON.parse(await get(`${server.url}/public/cells`));
  const paths = {
    'the latest 15 fields of a DER, HTTP': Array.from({ length: shown }, (_, place) => `/ders/${idOf('der', place)}`),
    'the sum of the latest W of a cell with all DERs, HTTP': [`/public/cells/${cells[0]!.h3_index}/stats`],
  };
  const findings: Finding[] = [];
  for (const [what, some] of Object.entries(paths)) {
    const requests = some.map((path) => ({ method: 'GET', path, headers }));
    const asked = { ask: () => load(server, requests, { amount: 200, connections: 1 }) };
    await inTurns(1, asked);
    const { ask } = await inTurns(rounds, asked);
    findings.push(
      measured(
        what,
        'ms',
        ask.map(({ waitMs }) => waitMs),
      ),
    );
  }
  return findings;
}
