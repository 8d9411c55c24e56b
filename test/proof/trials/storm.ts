import { isClean } from '#sim/fleet/ledger.ts';
import { type Storm, storm } from '../../faults/storm.ts';
import type { Outcome, Proof } from '../proof.ts';

const mostBackMs = 30_000;
const mostAnswerMs = 200;

function outcomeOf({ gateways, backMs, answerP99Ms, verdict }: Storm): Outcome {
  const isGood = backMs <= mostBackMs && answerP99Ms <= mostAnswerMs && isClean(verdict);
  const notes = [`all back after ${backMs} ms, 99 % of answers within ${answerP99Ms} ms`, JSON.stringify(verdict)];
  return { tried: gateways, failed: isGood ? 0 : 1, notes };
}

export const reconnectStorm: Proof = {
  id: 'S23',
  what: `Gateways that reconnect at once: all within ${mostBackMs / 1000} s, answers within ${mostAnswerMs} ms`,
  full: 5000,
  seconds: 200,
  load: 'alone',
  attempt: async (gateways) => outcomeOf(await storm(gateways)),
  planted: async () => outcomeOf(await storm(600, 'forgetful')),
};
