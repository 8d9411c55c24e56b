import type { Finding } from '../measure/finding.ts';
import { type Cost, load, type Request } from '../measure/load.ts';
import { inTurns } from '../measure/rounds.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { besidePeers, type PeerSamples } from '../peers/beside-peers.ts';
import { get } from '../peers/get.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { reach } from '../reach.ts';
import { idOf } from '../registry/fill.ts';
import { type Chosen, chosen, type Question, questions } from './questions.ts';

export type AskedHistory = {
  server: ServerProcess;
  headers: Record<string, string>;
  /** all numbers, by place */
  ders: readonly number[];
  peers: readonly TimeSeriesPeer[];
};

const rounds = 7;
const fieldsOfMeter = 15;

/** Queries over HTTP, with one client that waits for each answer, alternating with the peers. */
export async function askOverHttp(asked: AskedHistory): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const question of questions) {
    for (const choice of chosen) findings.push(...(await ask(question, choice, asked)));
  }
  return findings;
}

async function ask(
  question: Question,
  choice: Chosen,
  { server, headers, ders, peers }: AskedHistory,
): Promise<Finding[]> {
  const { what, part, places, from, to, widthMs, resolution } = question;
  const { named, field, amount } = choice;
  const range = `from=${from}&to=${to}&resolution=${resolution}${field ? `&fields=${field}` : ''}`;
  const asker = (asked: ServerProcess, paths: string[], headers: Record<string, string> = {}) => {
    const requests: Request[] = paths.map((path) => ({ method: 'GET', path, headers }));
    return () => load(asked, requests, { amount, connections: 1 });
  };
  const pathOf = (peer: TimeSeriesPeer, place: number): string =>
    peer.history({ der: ders[place]!, field, from, to, widthMs });
  const contenders: Record<string, () => Promise<Cost>> = {
    ours: asker(
      server,
      places.map((place) => `/ders/${idOf('der', place)}/telemetry?${range}`),
      headers,
    ),
  };
  for (const peer of peers) {
    await checkAnswer(peer, pathOf(peer, places[0]!), {
      buckets: (to - from) / widthMs,
      fields: field ? 1 : fieldsOfMeter,
    });
    contenders[peer.name] = asker(
      peer,
      places.map((place) => pathOf(peer, place)),
    );
  }
  await inTurns(1, contenders);
  const costs = await inTurns(rounds, contenders);
  const ofPeers = (pick: (cost: Cost) => number): PeerSamples[] =>
    peers.map(({ name }) => ({ name, values: costs[name]!.map(pick) }));
  const waits = costs.ours!.map(({ waitMs }) => waitMs);
  const waited =
    field && part
      ? { what: reach.history, part, unit: 'ms', values: waits, goal: question.reach }
      : { what: `${what}, ${named}, HTTP`, unit: 'ms', values: waits };
  const cpuMs = ({ cpuUs }: Cost): number => cpuUs / 1000;
  return [
    ...besidePeers(
      waited,
      ofPeers(({ waitMs }) => waitMs),
    ),
    ...besidePeers(
      { what: `${what}, ${named}, CPU of the process`, unit: 'ms', values: costs.ours!.map(cpuMs) },
      ofPeers(cpuMs),
    ),
  ];
}

type Expected = { buckets: number; fields: number };

/** A wrong query would be answered quickly, without values; a bucket that the range cuts may count or not. */
async function checkAnswer(peer: TimeSeriesPeer, path: string, { buckets, fields }: Expected): Promise<void> {
  const found = peer.countValues(JSON.parse(await get(peer.url + path)));
  if (Math.abs(found / fields - buckets) > 1) {
    throw new Error(`${peer.name} answered ${found} values instead of ${buckets * fields}: ${path}`);
  }
}
