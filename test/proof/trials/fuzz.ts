import { fuzzRequests } from '../../fuzz/http/fuzz-requests.ts';
import { openPlanted } from '../../fuzz/http/planted.ts';
import { fuzzServices } from '../../fuzz/http/services.ts';
import { planted } from '../../fuzz/planted.ts';
import { fuzzInPortions } from '../../fuzz/portions.ts';
import { fuzzTargets, type Protocol, protocols } from '../../fuzz/targets.ts';
import type { Outcome, Proof } from '../proof.ts';

const seed = 1;
const mostNotes = 20;

const requestsProof: Proof = {
  id: 'S7',
  what: 'Fuzzed requests with 5xx',
  full: 200_000,
  seconds: 420,
  async attempt(count) {
    const outcome: Required<Outcome> = { tried: 0, failed: 0, notes: [] };
    for (const { name, share, open } of fuzzServices) {
      await using service = await open();
      const { requests, wrong, byStatus } = await fuzzRequests(service, { seed, requests: Math.ceil(count * share) });
      outcome.tried += requests;
      outcome.failed += wrong.length;
      outcome.notes.push(`${name}: ${JSON.stringify(byStatus)}`, ...wrong.slice(0, mostNotes));
    }
    return outcome;
  },
  async planted() {
    await using service = await openPlanted();
    const { requests, wrong } = await fuzzRequests(service, { seed, requests: 500 });
    return { tried: requests, failed: wrong.length };
  },
};

/** What a million takes on two cores. */
const secondsOf: Record<Protocol, number> = {
  P1: 240,
  HDLC: 240,
  'M-Bus': 240,
  Modbus: 120,
  MQTT: 180,
  XML: 600,
  JWT: 300,
};

const framesProof = (protocol: Protocol): Proof => ({
  id: `S8 ${protocol}`,
  what: 'Malformed frames per protocol with crash or false value',
  full: 1_000_000,
  seconds: secondsOf[protocol],
  async attempt(count) {
    const outcome: Required<Outcome> = { tried: 0, failed: 0, notes: [] };
    for (const target of fuzzTargets.filter((each) => each.protocol === protocol)) {
      const fuzzed = await fuzzInPortions(target, { cases: Math.ceil(count * target.share), seed });
      outcome.tried += fuzzed.cases;
      outcome.failed += fuzzed.wrong.length;
      const chance = fuzzed.byChance > 0 ? `, ${fuzzed.byChance} damaged ones whose own check passes` : '';
      outcome.notes.push(`${target.what}: ${fuzzed.frames} taken of ${fuzzed.cases}${chance}`);
      outcome.notes.push(...fuzzed.wrong.slice(0, mostNotes));
    }
    return outcome;
  },
  async planted() {
    const { cases, wrong } = await planted[protocol](seed, 2000);
    return { tried: cases, failed: wrong.length };
  },
});

export const fuzzProofs: readonly Proof[] = [requestsProof, ...protocols.map(framesProof)];
