import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Sample } from './outbox/segment.ts';
import type { SeqRange } from './outbox/seq-ranges.ts';

const stepMs = 100;

/** Limits the rate of the backlog by the delay of live samples. `allow` returns how many samples may be sent now. */
function createPace({ maxPerSecond, minPerSecond, maxLiveDelayMs }: PublisherLimits, start: number) {
  let rate = maxPerSecond / 4;
  let allowance = 0;
  let filledAt = start;
  let steppedAt = start;
  return {
    allow(now: number, delayMs: number): number {
      while (now - steppedAt >= stepMs) {
        steppedAt = Math.max(steppedAt + stepMs, now - 1000);
        const isLate = delayMs > maxLiveDelayMs;
        rate = isLate ? Math.max(minPerSecond, rate * 0.8) : Math.min(maxPerSecond, rate + maxPerSecond / 40);
      }
      allowance = Math.min(allowance + ((now - filledAt) * rate) / 1000, rate / 4);
      filledAt = now;
      return Math.floor(allowance);
    },
    spend(count: number): void {
      allowance -= count;
    },
  };
}

export type PublisherDeps = {
  outbox: Pick<Outbox, 'onReady' | 'acknowledge' | 'backlog' | 'sendable'>;
  topicOf(source: string): string;
  /** whose acknowledgement removes a sample: the platform's, or the broker's where the platform sends none */
  trust: 'platform' | 'broker';
  monotonic: Clock;
  log: Logger;
  limits?: Partial<PublisherLimits> | undefined;
};

const defaultLimits = {
  /** samples of the backlog per second */
  maxPerSecond: 1800,
  minPerSecond: 50,
  /** the backlog slows down when live samples take longer than this */
  maxLiveDelayMs: 500,
  /** unacknowledged samples above which live samples wait in memory */
  maxInFlight: 2000,
  /** unacknowledged samples above which no backlog is sent */
  maxBacklogInFlight: 400,
  /** live samples that may wait in memory; the others become backlog */
  maxLiveQueued: 2000,
  /** a sample that is not acknowledged within this time is sent again */
  ackTimeoutMs: 30_000,
};

export type PublisherLimits = typeof defaultLimits;

const tickMs = 50;
const passPauseMs = 1000;

/** Sends live samples at once, and the backlog on disk alongside, oldest first. */
export function createPublisher({ outbox, topicOf, trust, monotonic, log, ...options }: PublisherDeps) {
  const limits = { ...defaultLimits, ...options.limits };
  const pace = createPace(limits, monotonic.now());
  let session: BrokerSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  let live: { sample: Sample; readyAt: number }[] = [];
  const liveSeqs = new Set<number>();
  const inFlight = new Map<number, { sentAt: number; readyAt: number | undefined }>(); // in sending order
  const brokerAcked: SeqRange[] = []; // with trust 'broker', until the next tick
  let isReading = false;
  let nextPassAt = Number.NEGATIVE_INFINITY;
  let isUnacknowledged = false;
  let delayMs = 0; // of live samples, smoothed

  outbox.onReady((samples) => {
    if (!session) return;
    const readyAt = monotonic.now();
    for (const sample of samples) {
      if (live.length >= limits.maxLiveQueued) break;
      live.push({ sample, readyAt });
      liveSeqs.add(sample.seq);
    }
    sendLive();
  });

  function sendLive(): void {
    const room = Math.max(0, limits.maxInFlight - inFlight.size);
    for (const { sample, readyAt } of live.splice(0, room)) {
      liveSeqs.delete(sample.seq);
      send(sample, readyAt);
    }
  }

  function send({ seq, source, json }: Sample, readyAt?: number): void {
    const sending = session;
    if (!sending) return;
    inFlight.set(seq, { sentAt: monotonic.now(), readyAt });
    sending.publish(topicOf(source), json, 1, (error) => {
      if (session !== sending) return;
      if (error) inFlight.delete(seq);
      else if (trust === 'broker') brokerAcked.push([seq, seq]);
    });
  }

  function tick(): void {
    if (brokerAcked.length > 0) acknowledged(brokerAcked.splice(0));
    forgetUnacknowledged();
    sendLive();
    const isBacklog = outbox.sendable() > inFlight.size + live.length;
    if (isReading || !isBacklog) return;
    isReading = true;
    sendBacklog()
      .catch((error: unknown) => log.error({ err: error }, 'failed to read the backlog'))
      .finally(() => {
        isReading = false;
      });
  }

  async function sendBacklog(): Promise<void> {
    const sending = session;
    const now = monotonic.now();
    const [oldest] = inFlight.values();
    const delay = Math.max(delayMs, oldest ? now - oldest.sentAt : 0); // at least the age of the oldest in flight
    const maxBatchSize = Math.min(pace.allow(now, delay), limits.maxBacklogInFlight - inFlight.size);
    if (maxBatchSize <= 0 || now < nextPassAt) return;
    const samples = await outbox.backlog.next(maxBatchSize, (seq) => inFlight.has(seq) || liveSeqs.has(seq));
    if (session !== sending) return;
    pace.spend(samples.length);
    for (const sample of samples) send(sample);
    if (samples.length > 0) return;
    outbox.backlog.rewind();
    nextPassAt = now + passPauseMs;
  }

  function forgetUnacknowledged(): void {
    const before = monotonic.now() - limits.ackTimeoutMs;
    for (const [seq, { sentAt }] of inFlight) {
      if (sentAt > before) return;
      inFlight.delete(seq);
      if (!isUnacknowledged) log.warn({ seq }, 'samples not acknowledged; sending them again');
      isUnacknowledged = true;
    }
  }

  function acknowledged(ranges: readonly SeqRange[]): void {
    outbox.acknowledge(ranges);
    const now = monotonic.now();
    for (const [first, last] of ranges) {
      // A range from the network may be huge; the samples in flight are few.
      if (last - first < inFlight.size) for (let seq = first; seq <= last; seq++) noteAcknowledged(seq, now);
      else for (const seq of inFlight.keys()) if (seq >= first && seq <= last) noteAcknowledged(seq, now);
    }
    if (isUnacknowledged) log.info('samples acknowledged again');
    isUnacknowledged = false;
  }

  function noteAcknowledged(seq: number, now: number): void {
    const sample = inFlight.get(seq);
    inFlight.delete(seq);
    if (sample?.readyAt !== undefined) delayMs += (now - sample.readyAt - delayMs) / 8;
  }

  return {
    acknowledged,
    connected(opened: BrokerSession): void {
      session = opened;
      outbox.backlog.rewind();
      nextPassAt = Number.NEGATIVE_INFINITY;
      timer = setInterval(tick, tickMs);
    },
    /** Forgets the samples in flight: they are still on disk. */
    disconnected(): void {
      session = undefined;
      clearInterval(timer);
      outbox.acknowledge(brokerAcked.splice(0));
      inFlight.clear();
      live = [];
      liveSeqs.clear();
      delayMs = 0;
    },
  };
}
