import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Sample } from './outbox/segment.ts';
import type { SeqRange } from './outbox/seq-ranges.ts';

const stepMs = 100;

/**
 * Limits the rate of the backlog: lowers it when live samples are delayed, and raises it slowly otherwise. `allow` returns
 * how many samples may be sent now; `delayMs` is the delay of live samples.
 */
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

type InFlight = { sentAt: number; readyAt: number | undefined };

const tickMs = 50;
const passPauseMs = 1000;

/** Sends live samples at once, and the backlog on disk alongside, oldest first. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #limits: PublisherLimits;
  readonly #pace: ReturnType<typeof createPace>;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #live: { sample: Sample; readyAt: number }[] = [];
  readonly #liveSeqs = new Set<number>();
  readonly #inFlight = new Map<number, InFlight>(); // in sending order
  readonly #brokerAcked: SeqRange[] = []; // with trust 'broker', until the next tick
  #isReading = false;
  #nextPassAt = Number.NEGATIVE_INFINITY;
  #isUnacknowledged = false;
  #delayMs = 0; // of live samples, smoothed

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
    this.#pace = createPace(this.#limits, deps.monotonic.now());
    deps.outbox.onReady((samples) => this.#sendNew(samples));
  }

  connected(session: BrokerSession): void {
    this.#session = session;
    this.#deps.outbox.backlog.rewind();
    this.#nextPassAt = Number.NEGATIVE_INFINITY;
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  /** Forgets the samples in flight: they are still on disk. */
  disconnected(): void {
    this.#session = undefined;
    clearInterval(this.#timer);
    this.#deps.outbox.acknowledge(this.#brokerAcked.splice(0));
    this.#inFlight.clear();
    this.#live = [];
    this.#liveSeqs.clear();
    this.#delayMs = 0;
  }

  acknowledged(ranges: readonly SeqRange[]): void {
    this.#deps.outbox.acknowledge(ranges);
    const now = this.#deps.monotonic.now();
    for (const [first, last] of ranges) {
      // A range from the network may be huge; the samples in flight are few.
      if (last - first < this.#inFlight.size)
        for (let seq = first; seq <= last; seq++) this.#noteAcknowledged(seq, now);
      else for (const seq of this.#inFlight.keys()) if (seq >= first && seq <= last) this.#noteAcknowledged(seq, now);
    }
    if (this.#isUnacknowledged) this.#deps.log.info('samples acknowledged again');
    this.#isUnacknowledged = false;
  }

  #noteAcknowledged(seq: number, now: number): void {
    const sample = this.#inFlight.get(seq);
    if (!sample) return;
    this.#inFlight.delete(seq);
    if (sample.readyAt !== undefined) this.#delayMs += (now - sample.readyAt - this.#delayMs) / 8;
  }

  #sendNew(samples: readonly Sample[]): void {
    if (!this.#session) return;
    const readyAt = this.#deps.monotonic.now();
    for (const sample of samples) {
      if (this.#live.length >= this.#limits.maxLiveQueued) break;
      this.#live.push({ sample, readyAt });
      this.#liveSeqs.add(sample.seq);
    }
    this.#sendLive();
  }

  #sendLive(): void {
    const room = Math.max(0, this.#limits.maxInFlight - this.#inFlight.size);
    for (const { sample, readyAt } of this.#live.splice(0, room)) {
      this.#liveSeqs.delete(sample.seq);
      this.#send(sample, readyAt);
    }
  }

  #send({ seq, source, json }: Sample, readyAt?: number): void {
    const session = this.#session;
    if (!session) return;
    this.#inFlight.set(seq, { sentAt: this.#deps.monotonic.now(), readyAt });
    session.publish(this.#deps.topicOf(source), json, 1, (error) => {
      if (this.#session !== session) return;
      if (error) this.#inFlight.delete(seq);
      else if (this.#deps.trust === 'broker') this.#brokerAcked.push([seq, seq]);
    });
  }

  #tick(): void {
    if (this.#brokerAcked.length > 0) this.acknowledged(this.#brokerAcked.splice(0));
    this.#forgetUnacknowledged();
    this.#sendLive();
    if (!this.#isReading && this.#backlogSize() > 0) {
      this.#isReading = true;
      this.#sendBacklog()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'failed to read the backlog'))
        .finally(() => {
          this.#isReading = false;
        });
    }
  }

  /** Returns how many samples on disk are neither in flight nor queued. */
  #backlogSize(): number {
    return Math.max(0, this.#deps.outbox.sendable() - this.#inFlight.size - this.#live.length);
  }

  async #sendBacklog(): Promise<void> {
    const { outbox, monotonic } = this.#deps;
    const session = this.#session;
    const now = monotonic.now();
    const room = this.#limits.maxBacklogInFlight - this.#inFlight.size;
    const maxBatchSize = Math.min(this.#pace.allow(now, this.#delay(now)), room);
    if (maxBatchSize <= 0 || now < this.#nextPassAt) return;
    const samples = await outbox.backlog.next(
      maxBatchSize,
      (seq) => this.#inFlight.has(seq) || this.#liveSeqs.has(seq),
    );
    if (this.#session !== session) return;
    this.#pace.spend(samples.length);
    for (const sample of samples) this.#send(sample);
    if (samples.length > 0) return;
    outbox.backlog.rewind();
    this.#nextPassAt = now + passPauseMs;
  }

  /** Returns the delay of live samples, at least the age of the oldest sample in flight. */
  #delay(now: number): number {
    const [oldest] = this.#inFlight.values();
    return Math.max(this.#delayMs, oldest ? now - oldest.sentAt : 0);
  }

  #forgetUnacknowledged(): void {
    const before = this.#deps.monotonic.now() - this.#limits.ackTimeoutMs;
    for (const [seq, { sentAt }] of this.#inFlight) {
      if (sentAt > before) return;
      this.#inFlight.delete(seq);
      if (!this.#isUnacknowledged) this.#deps.log.warn({ seq }, 'samples not acknowledged; sending them again');
      this.#isUnacknowledged = true;
    }
  }
}
