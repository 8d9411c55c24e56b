import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Session } from '../links/mqtt/session.ts';
import type { Sample } from './outbox/line.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Range } from './outbox/seq-ranges.ts';
import { defaultPace, Pace, type PaceLimits } from './pace.ts';

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
  private readonly deps: PublisherDeps;
  private readonly limits: PublisherLimits;
  private readonly pace: Pace;
  private session: Session | undefined;
  private timer: NodeJS.Timeout | undefined;
  private live: { sample: Sample; readyAt: number }[] = [];
  private readonly liveSeqs = new Set<number>();
  private readonly onTheirWay = new Map<number, OnItsWay>(); // in the order they were sent
  private readonly taken: Range[] = []; // by a broker whose word counts
  private isReading = false;
  private nextPassAt = Number.NEGATIVE_INFINITY;
  private isUnanswered = false;
  private delayMs = 0; // of live samples, smoothed

  constructor(deps: PublisherDeps) {
    this.deps = deps;
    this.limits = { ...defaultLimits, ...deps.limits };
    this.pace = new Pace(this.limits, deps.monotonic.now());
    deps.outbox.onReady((samples) => this.ready(samples));
  }

  connected(session: Session): void {
    this.session = session;
    this.deps.outbox.backlog.rewind();
    this.nextPassAt = Number.NEGATIVE_INFINITY;
    this.timer = setInterval(() => this.tick(), tickMs);
  }

  /** What was on its way is still on disk. */
  disconnected(): void {
    this.session = undefined;
    clearInterval(this.timer);
    this.deps.outbox.acknowledge(this.taken.splice(0));
    this.onTheirWay.clear();
    this.live = [];
    this.liveSeqs.clear();
    this.delayMs = 0;
  }

  acknowledged(ranges: readonly Range[]): void {
    this.deps.outbox.acknowledge(ranges);
    const now = this.deps.monotonic.now();
    for (const [first, last] of ranges) {
      // The range comes from outside and may be long; what is on its way is short.
      if (last - first < this.onTheirWay.size) for (let seq = first; seq <= last; seq++) this.arrived(seq, now);
      else for (const seq of this.onTheirWay.keys()) if (seq >= first && seq <= last) this.arrived(seq, now);
    }
    if (this.isUnanswered) this.deps.log.info('samples are acknowledged again');
    this.isUnanswered = false;
  }

  private arrived(seq: number, now: number): void {
    const sample = this.onTheirWay.get(seq);
    if (!sample) return;
    this.onTheirWay.delete(seq);
    if (sample.readyAt !== undefined) this.delayMs += (now - sample.readyAt - this.delayMs) / 8;
  }

  private ready(samples: readonly Sample[]): void {
    if (!this.session) return;
    const readyAt = this.deps.monotonic.now();
    for (const sample of samples) {
      if (this.live.length >= this.limits.liveWaiting) break;
      this.live.push({ sample, readyAt });
      this.liveSeqs.add(sample.seq);
    }
    this.sendLive();
  }

  private sendLive(): void {
    let sent = 0;
    while (sent < this.live.length && this.onTheirWay.size < this.limits.onTheirWay) {
      const { sample, readyAt } = this.live[sent++]!;
      this.liveSeqs.delete(sample.seq);
      this.send(sample, readyAt);
    }
    this.live.splice(0, sent);
  }

  private send({ seq, source, json }: Sample, readyAt?: number): void {
    const { session } = this;
    if (!session) return;
    this.onTheirWay.set(seq, { sentAt: this.deps.monotonic.now(), readyAt });
    session.publish(this.deps.topicOf(source), json, 1, (error) => {
      if (this.session !== session) return;
      if (error) this.onTheirWay.delete(seq);
      else if (this.deps.trust === 'broker') this.taken.push([seq, seq]);
    });
  }

  private tick(): void {
    if (this.taken.length > 0) this.acknowledged(this.taken.splice(0));
    this.forgetUnanswered();
    this.sendLive();
    if (!this.isReading && this.backlogSize() > 0) {
      this.isReading = true;
      this.sendBacklog()
        .catch((error: unknown) => this.deps.log.error({ err: error }, 'the backlog could not be read'))
        .finally(() => {
          this.isReading = false;
        });
    }
  }

  /** Samples on disk that are not on their way. */
  private backlogSize(): number {
    return Math.max(0, this.deps.outbox.sendable() - this.onTheirWay.size - this.live.length);
  }

  private async sendBacklog(): Promise<void> {
    const { outbox, monotonic } = this.deps;
    const { session } = this;
    const now = monotonic.now();
    const room = this.limits.backlogOnItsWay - this.onTheirWay.size;
    const most = Math.min(this.pace.allow(now, this.delay(now)), room);
    if (most <= 0 || now < this.nextPassAt) return;
    const samples = await outbox.backlog.next(most, (seq) => this.onTheirWay.has(seq) || this.liveSeqs.has(seq));
    if (this.session !== session) return;
    this.pace.spend(samples.length);
    for (const sample of samples) this.send(sample);
    if (samples.length > 0) return;
    outbox.backlog.rewind();
    this.nextPassAt = now + passPauseMs;
  }

  /** What live samples take, and at least what the oldest one on its way has taken so far. */
  private delay(now: number): number {
    const [oldest] = this.onTheirWay.values();
    return Math.max(this.delayMs, oldest ? now - oldest.sentAt : 0);
  }

  private forgetUnanswered(): void {
    const before = this.deps.monotonic.now() - this.limits.unansweredMs;
    for (const [seq, { sentAt }] of this.onTheirWay) {
      if (sentAt > before) return;
      this.onTheirWay.delete(seq);
      if (!this.isUnanswered) this.deps.log.warn({ seq }, 'samples are not acknowledged and will be sent again');
      this.isUnanswered = true;
    }
  }
}
