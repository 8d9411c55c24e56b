import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fuzzRequests } from '../../fuzz/http/fuzz-requests.ts';
import { openPlanted } from '../../fuzz/http/planted.ts';
import type { ServicePart, ServiceTold } from '../../fuzz/http/service-process.ts';
import { fuzzServices } from '../../fuzz/http/services.ts';
import { planted } from '../../fuzz/planted.ts';
import type { ProtocolPart, ProtocolTold } from '../../fuzz/protocol-thread.ts';
import { fuzzTargets, type Protocol, protocols } from '../../fuzz/targets.ts';
import type { Outcome, Proof } from '../proof.ts';

const seed = 1;
const mostNotes = 20;
const protocolThread = new URL('../../fuzz/protocol-thread.ts', import.meta.url);
const serviceProcess = new URL('../../fuzz/http/service-process.ts', import.meta.url);

/** Runs a program in a thread of its own; returns its only message. */
async function inThread(workerData: ProtocolPart): Promise<ProtocolTold> {
  const thread = new Worker(protocolThread, { workerData });
  const [told] = (await once(thread, 'message')) as [ProtocolTold];
  await thread.terminate();
  return told;
}

/** Runs a program in a process of its own; returns its only message. */
async function inProcess(part: ServicePart): Promise<ServiceTold> {
  const child = fork(serviceProcess, [JSON.stringify(part)]);
  const tooSoon = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`Sending requests to ${part.name} ended with ${signal ?? code}.`);
  });
  const [told] = (await Promise.race([once(child, 'message'), tooSoon])) as [ServiceTold];
  return told;
}

export const requestsProof: Proof = {
  id: 'S7',
  what: 'Fuzzed requests with an undeclared answer, a 5xx, or no answer within 2 s',
  full: 200_000,
  seconds: 250,
  load: 'alone',
  async attempt(count) {
    const parts = fuzzServices.flatMap(({ name, share, lanes }) =>
      Array.from({ length: lanes }, (_, lane) => ({
        name,
        seed: seed + lane,
        requests: Math.ceil((count * share) / lanes),
      })),
    );
    const told = await Promise.all(parts.map(async (part) => ({ part, fuzzed: await inProcess(part) })));
    const outcome: Required<Outcome> = { tried: 0, failed: 0, notes: [] };
    for (const { part, fuzzed } of told) {
      outcome.tried += fuzzed.requests;
      outcome.failed += fuzzed.wrong.length;
      const wrong = fuzzed.wrong.slice(0, mostNotes).map((fault) => `seed ${part.seed}: ${fault}`);
      const failures = Object.entries(fuzzed.failures).map(
        ([failure, times]) => `${part.name}: ${times} times ${failure}`,
      );
      outcome.notes.push(`${part.name}: ${JSON.stringify(fuzzed.byStatus)}`, ...failures, ...wrong);
    }
    return outcome;
  },
  async planted() {
    await using service = await openPlanted();
    const { requests, wrong } = await fuzzRequests(service, { seed, requests: 500 });
    return { tried: requests, failed: wrong.length };
  },
};

/** Seconds for a million cases. */
const secondsOf: Record<Protocol, number> = {
  P1: 120,
  HDLC: 100,
  'M-Bus': 100,
  Modbus: 200,
  MQTT: 120,
  XML: 300,
  JWT: 140,
};

const framesProof = (protocol: Protocol): Proof => ({
  id: `S8 ${protocol}`,
  what: 'Malformed frames per protocol with crash or false value',
  full: 1_000_000,
  seconds: secondsOf[protocol],
  load: 1,
  async attempt(count) {
    const outcome: Required<Outcome> = { tried: 0, failed: 0, notes: [] };
    for (const { what, fuzzed } of await inThread({ protocol, cases: count, seed })) {
      outcome.tried += fuzzed.cases;
      outcome.failed += fuzzed.wrong.length;
      const chance = fuzzed.byChance > 0 ? `, ${fuzzed.byChance} damaged ones whose own check passes` : '';
      outcome.notes.push(`${what}: ${fuzzed.frames} taken of ${fuzzed.cases}${chance}`);
      outcome.notes.push(...fuzzed.wrong.slice(0, mostNotes));
    }
    return outcome;
  },
  async planted() {
    const outcome: Outcome = { tried: 0, failed: Number.POSITIVE_INFINITY };
    for (const { what } of fuzzTargets.filter((target) => target.protocol === protocol)) {
      const { cases, wrong } = await planted[what]!(seed, 2000);
      outcome.tried += cases;
      outcome.failed = Math.min(outcome.failed, wrong.length);
    }
    return outcome;
  },
});

export const framesProofs: readonly Proof[] = protocols.map(framesProof);
