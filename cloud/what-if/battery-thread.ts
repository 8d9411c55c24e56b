import { parentPort, workerData } from 'node:worker_threads';
import { type Policy, type ReplayedHome, runBattery, type Stretch } from './battery.ts';

/** One question to the thread: a stretch of time under several policies. */
export type Question = { stretch: Stretch; policies: Policy[] };

const home: ReplayedHome = workerData;
parentPort!.on('message', ({ stretch, policies }: Question) =>
  parentPort!.postMessage(policies.map((policy) => runBattery(home, stretch, policy))),
);
