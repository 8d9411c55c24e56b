import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openTrial, readingsFrom } from '../outbox/testing/trial.ts';
import { createPublisher, type PublisherDeps } from '../publisher.ts';

export const livePerSecond = 10;

const tickMs = 50; // of the publisher
const maxMs = 120_000;

/** When each backlog sample was acknowledged and how long each live one took, ms of simulated time. */
export type Drained = { acknowledgedAt: number[]; liveMs: number[] };

/**
 * Sends a backlog alongside live samples to a platform that stores `perSecond` samples, one after the other, and
 * acknowledges each after at least `answerMs`.
 */
export async function drain(
  t: TestContext,
  { waiting, answerMs, perSecond }: { waiting: number; answerMs: number; perSecond: number },
): Promise<Drained> {
  const { outbox, keep, close } = await openTrial(temporaryFolder(t));
  t.after(async () => {
    t.mock.timers.reset(); // the real interval of the outbox must not fire again
    await close();
  });
  await keep(readingsFrom(Date.parse('2026-06-01T00:00:00Z'), waiting));
  t.mock.timers.enable({ apis: ['setInterval'] });

  let now = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const measuredAt = new Map<number, number>(); // live samples in flight
  let measured: Parameters<PublisherDeps['outbox']['onReady']>[0] = () => {};
  const publisher = createPublisher({
    outbox: {
      acknowledge: outbox.acknowledge,
      sendable: () => outbox.sendable() + measuredAt.size,
      onReady(listener) {
        measured = listener;
      },
      backlog: {
        rewind: () => outbox.backlog.rewind(),
        next(...args) {
          const samples = outbox.backlog.next(...args);
          reading = samples;
          return samples;
        },
      },
    },
    topicOf: (source) => source,
    trust: 'platform',
    monotonic: { now: () => now },
    log: createLog({ level: 'silent', name: 'test' }),
  });

  const sent: { seq: number; storedAt: number }[] = [];
  let freeAt = 0;
  publisher.connected({
    publish(_, json) {
      freeAt = Math.max(freeAt, now) + 1000 / perSecond;
      sent.push({ seq: JSON.parse(json).seq as number, storedAt: Math.max(freeAt, now + answerMs) });
    },
    ended: new Promise(() => {}),
    end: async () => {},
  });

  const drained: Drained = { acknowledgedAt: [], liveMs: [] };
  const acknowledge = (seq: number): void => {
    publisher.acknowledged([[seq, seq]]);
    const began = measuredAt.get(seq);
    if (began === undefined) drained.acknowledgedAt.push(now);
    else drained.liveMs.push(now - began);
    measuredAt.delete(seq);
  };
  while (outbox.counts().waiting > 0 && now < maxMs) {
    now += tickMs;
    if (now % (1000 / livePerSecond) === 0) {
      measuredAt.set(now, now); // numbers on disk are far above these
      measured([{ seq: now, source: 'INV-1/pv', json: JSON.stringify({ seq: now }) }]);
    }
    while (sent[0] && sent[0].storedAt <= now) acknowledge(sent.shift()!.seq);
    t.mock.timers.tick(tickMs);
    await reading;
    await turn();
  }
  publisher.disconnected();
  return drained;
}
