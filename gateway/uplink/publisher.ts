import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Sample } from './outbox/segment.ts';
import type { SeqRange } from './outbox/seq-ranges.ts';

type PaceLimits = {
  /** samples of the backlog a second */
  most: number;
  least: number;
  /** live samples that take longer slow the backlog down, ms */
  patienceMs: number;
};

const defaultPace: PaceLimits = { most: 1800, least: 50, patienceMs: 500 };

const stepMs = 100;

/** How fast the backlog goes: less when live samples take longer, slowly more when they do not. */
class Pace {
  readonly #limits: PaceLimits;
  #rate: number;
  #allowance = 0;
  #filledAt: number;
  #steppedAt: number;

  constructor(limits: PaceLimits, now: number) {
    this.#limits = limits;
    this.#rate = limits.most / 4;
    this.#filledAt = now;
    this.#steppedAt = now;
  }

  /** How many may go now. `delayMs` is what live samples take. */
  allow(now: number, delayMs: number): number {
    const { most, least, patienceMs } = this.#limits;
    while (now - this.#steppedAt >= stepMs) {
      this.#steppedAt = Math.max(this.#steppedAt + stepMs, now - 1000);
      this.#rate = delayMs > patienceMs ? Math.max(least, this.#rate * 0.8) : Math.min(most, this.#rate + most / 40);
    }
    this.#allowance = Math.min(this.#allowance + ((now - this.#filledAt) * this.#rate) / 1000, this.#rate / 4);
    this.#filledAt = now;
    return Math.floor(this.#allowance);
  }

  spend(count: number): void {
    this.#allowance -= count;
  }
}

export type PublisherDeps = {
  outbox: Pick<Outbox, 'onReady' | 'acknowledge' | 'backlog' | 'sendable'>;
  topicOf(source: string): string;
  /** whose word a sample is removed on: the platform's, or that of a broker whose platform says nothing */
  trust: 'platform' | 'broker';
  monotonic: Clock;
  log: Logger;
  limits?: Partial<PublisherLimits> | undefined;
};

export type PublisherLimits = PaceLimits & {
  /** samples on their way, beyond which live ones wait in memory, and of the backlog none are added */
  onTheirWay: number;
  backlogOnItsWay: number;
  /** live samples in memory that wait for that; more of them become backlog */
  liveWaiting: number;
  /** a sample that nobody acknowledged in this time is sent again */
  unansweredMs: number;
};

const defaultLimits: PublisherLimits = {
  ...defaultPace,
  onTheirWay: 2000,
  backlogOnItsWay: 400,
  liveWaiting: 2000,
  unansweredMs: 30_000,
};

type OnItsWay = { sentAt: number; readyAt: number | undefined };

const tickMs = 50;
const passPauseMs = 1000;

/** Sends live samples as they come, and beside them what waits on disk, oldest first. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #limits: PublisherLimits;
  readonly #pace: Pace;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #live: { sample: Sample; readyAt: number }[] = [];
  readonly #liveSeqs = new Set<number>();
  readonly #onTheirWay = new Map<number, OnItsWay>(); // in the order they were sent
  readonly #taken: SeqRange[] = []; // by a broker whose word counts
  #isReading = false;
  #nextPassAt = Number.NEGATIVE_INFINITY;
  #isUnanswered = false;
  #delayMs = 0; // of live samples, smoothed

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
    this.#pace = new Pace(this.#limits, deps.monotonic.now());
    deps.outbox.onReady((samples) => this.#ready(samples));
  }

  connected(session: BrokerSession): void {
    this.#session = session;
    this.#deps.outbox.backlog.rewind();
    this.#nextPassAt = Number.NEGATIVE_INFINITY;
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  /** What was on its way is still on disk. */
  disconnected(): void {
    this.#session = undefined;
    clearInterval(this.#timer);
    this.#deps.outbox.acknowledge(this.#taken.splice(0));
    this.#onTheirWay.clear();
    this.#live = [];
    this.#liveSeqs.clear();
    this.#delayMs = 0;
  }

  acknowledged(ranges: readonly SeqRange[]): void {
    this.#deps.outbox.acknowledge(ranges);
    const now = this.#deps.monotonic.now();
    for (const [first, last] of ranges) {
      // The range comes from outside and may be long; what is on its way is short.
      if (last - first < this.#onTheirWay.size) for (let seq = first; seq <= last; seq++) this.#arrived(seq, now);
      else for (const seq of this.#onTheirWay.keys()) if (seq >= first && seq <= last) this.#arrived(seq, now);
    }
    if (this.#isUnanswered) this.#deps.log.info('samples are acknowledged again');
    this.#isUnanswered = false;
  }

  #arrived(seq: number, now: number): void {
    const sample = this.#onTheirWay.get(seq);
    if (!sample) return;
    this.#onTheirWay.delete(seq);
    if (sample.readyAt !== undefined) this.#delayMs += (now - sample.readyAt - this.#delayMs) / 8;
  }

  #ready(samples: readonly Sample[]): void {
    if (!this.#session) return;
    const readyAt = this.#deps.monotonic.now();
    for (const sample of samples) {
      if (this.#live.length >= this.#limits.liveWaiting) break;
      this.#live.push({ sample, readyAt });
      this.#liveSeqs.add(sample.seq);
    }
    this.#sendLive();
  }

  #sendLive(): void {
    let sent = 0;
    while (sent < this.#live.length && this.#onTheirWay.size < this.#limits.onTheirWay) {
      const { sample, readyAt } = this.#live[sent++]!;
      this.#liveSeqs.delete(sample.seq);
      this.#send(sample, readyAt);
    }
    this.#live.splice(0, sent);
  }

  #send({ seq, source, json }: Sample, readyAt?: number): void {
    const session = this.#session;
    if (!session) return;
    this.#onTheirWay.set(seq, { sentAt: this.#deps.monotonic.now(), readyAt });
    session.publish(this.#deps.topicOf(source), json, 1, (error) => {
      if (this.#session !== session) return;
      if (error) this.#onTheirWay.delete(seq);
      else if (this.#deps.trust === 'broker') this.#taken.push([seq, seq]);
    });
  }

  #tick(): void {
    if (this.#taken.length > 0) this.acknowledged(this.#taken.splice(0));
    this.#forgetUnanswered();
    this.#sendLive();
    if (!this.#isReading && this.#backlogSize() > 0) {
      this.#isReading = true;
      this.#sendBacklog()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'the backlog could not be read'))
        .finally(() => {
          this.#isReading = false;
        });
    }
  }

  /** Samples on disk that are not on their way. */
  #backlogSize(): number {
    return Math.max(0, this.#deps.outbox.sendable() - this.#onTheirWay.size - this.#live.length);
  }

  async #sendBacklog(): Promise<void> {
    const { outbox, monotonic } = this.#deps;
    const session = this.#session;
    const now = monotonic.now();
    const room = this.#limits.backlogOnItsWay - this.#onTheirWay.size;
    const most = Math.min(this.#pace.allow(now, this.#delay(now)), room);
    if (most <= 0 || now < this.#nextPassAt) return;
    const samples = await outbox.backlog.next(most, (seq) => this.#onTheirWay.has(seq) || this.#liveSeqs.has(seq));
    if (this.#session !== session) return;
    this.#pace.spend(samples.length);
    for (const sample of samples) this.#send(sample);
    if (samples.length > 0) return;
    outbox.backlog.rewind();
    this.#nextPassAt = now + passPauseMs;
  }

  /** What live samples take, and at least what the oldest one on its way has taken so far. */
  #delay(now: number): number {
    const [oldest] = this.#onTheirWay.values();
    return Math.max(this.#delayMs, oldest ? now - oldest.sentAt : 0);
  }

  #forgetUnanswered(): void {
    const before = this.#deps.monotonic.now() - this.#limits.unansweredMs;
    for (const [seq, { sentAt }] of this.#onTheirWay) {
      if (sentAt > before) return;
      this.#onTheirWay.delete(seq);
      if (!this.#isUnanswered) this.#deps.log.warn({ seq }, 'samples are not acknowledged and will be sent again');
      this.#isUnanswered = true;
    }
  }
}
