import { parentPort, workerData } from 'node:worker_threads';
import { type Fuzzed, fuzzInPortions } from './portions.ts';
import { fuzzTargets, type Protocol } from './targets.ts';

// Runs the cases of a protocol in a thread, whose heap has nothing else.

export type ProtocolPart = { protocol: Protocol; cases: number; seed: number };
export type ProtocolTold = { what: string; fuzzed: Fuzzed }[];

const { protocol, cases, seed } = workerData as ProtocolPart;
const told: ProtocolTold = [];
for (const target of fuzzTargets.filter((each) => each.protocol === protocol)) {
  const fuzzed = await fuzzInPortions(target, { cases: Math.ceil(cases * target.share), seed });
  told.push({ what: target.what, fuzzed });
}
parentPort!.postMessage(told, []);
