import { searchAnswers } from '../../canaries/answers.ts';
import { listenToNeighbours } from '../../canaries/live.ts';
import { searchLogs, searchTellingLog } from '../../canaries/logs.ts';
import { openFuzzCloud } from '../../fuzz/http/cloud.ts';
import type { Proof } from '../proof.ts';

const seed = 1;
const rounds = 200;

const answersProof: Proof = {
  id: 'S11',
  what: 'Answers and live messages that contain data of a neighbour',
  full: 30_000,
  seconds: 120,
  load: 1,
  async attempt(count) {
    const { requests, wrong } = await searchAnswers({ seed, requests: count });
    await using service = await openFuzzCloud();
    const { messages, leaks } = await listenToNeighbours(service.cloud, service.url, rounds);
    const notes = [`${requests} answers and ${messages} live messages`, ...wrong.slice(0, 20), ...leaks.slice(0, 20)];
    return { tried: requests + messages, failed: wrong.length + leaks.length, notes };
  },
  async planted() {
    const { requests, wrong } = await searchAnswers({ seed, requests: 300, letsNeighbourIn: true });
    return { tried: requests, failed: wrong.length };
  },
};

const logsProof: Proof = {
  id: 'S12',
  what: 'Answers and log lines that contain a secret',
  full: 5000,
  seconds: 60,
  load: 1,
  async attempt(count) {
    const { kinds, lines, answers, leaks } = await searchLogs({ requests: count });
    const notes = [`${kinds.size} kinds of secrets, ${lines} lines of logs, ${answers} answers`, ...leaks.slice(0, 20)];
    return { tried: lines + answers, failed: leaks.length, notes };
  },
  async planted() {
    const { lines, answers, leaks } = await searchTellingLog();
    return { tried: lines + answers, failed: leaks.length };
  },
};

export const canaryProofs: readonly Proof[] = [answersProof, logsProof];
