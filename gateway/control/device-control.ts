import type { Facts, Part, Setpoint } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import { type Command, endedWaiting, type Said, type Subject } from './command.ts';
import type { Hand } from './hand.ts';
import { KeptHand, type KeptHandDeps } from './kept-hand.ts';
import { type Job, Lease, type Refresh } from './lease.ts';
import type { Marker } from './marker.ts';
import type { Place } from './place.ts';
import { notReleased } from './release-retry.ts';
import { Traces, type TracesDeps } from './traces.ts';
import type { Ends } from './watchdog-messages.ts';

export type DeviceControlDeps = KeptHandDeps & TracesDeps & { say(sn: string, command: Command, said: Said): void };

/** What there is to control, where, and how; `parts` are not empty, `known` is what a person has set. */
export type Controllable = { control: ControlProfile; place: Place; parts: readonly Part[]; known: Facts };

/** Without news for this long a device is let go. */
export const quietMs = 30_000;

const paceMs = 1000;

/** One that does not go back by itself may be away for as long as it may be silent. */
const refreshOf = ({
  refreshMs,
  expiringParts: forgets = ['battery'],
  revertsAfterMs,
}: ControlProfile): Refresh | undefined =>
  refreshMs === undefined ? undefined : { parts: forgets, everyMs: refreshMs, lostAfterMs: revertsAfterMs ?? quietMs };

/** Does to one device what its lease asks for, one thing after the other. */
export class DeviceControl {
  readonly sn: string;
  readonly lease: Lease;
  private readonly control: ControlProfile;
  private parts: readonly Part[];
  private readonly deps: DeviceControlDeps;
  private readonly hand: KeptHand;
  private readonly traces: Traces;
  /** when its battery was told something, ms on the monotonic clock */
  private toldAt = Number.NEGATIVE_INFINITY;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private alarm: string | undefined;
  /** parts that could not be told the last time */
  private readonly untold = new Set<Part>();
  private waiters: (() => void)[] = [];

  constructor(sn: string, { control, parts, ...known }: Controllable, deps: DeviceControlDeps) {
    this.sn = sn;
    this.control = control;
    this.parts = parts;
    this.deps = deps;
    this.hand = new KeptHand(control, known, deps);
    this.traces = new Traces(sn, control.profile, deps);
    const rules = { paceMs, refresh: refreshOf(control) };
    this.lease = new Lease(rules, (command, said) => deps.say(sn, command, said));
  }

  /** Takes up what a process before left behind: it is released, never resumed. */
  static leftBehind(marker: Marker, control: ControlProfile, deps: DeviceControlDeps): DeviceControl {
    const { sn, place, parts } = marker;
    const device = new DeviceControl(sn, { control, place, parts, known: {} }, deps);
    device.hand.remember(marker.facts);
    device.traces.takeUp(marker);
    device.lease.insist(marker.parts, 'A process before has left it under control.');
    return device;
  }

  get fault(): string | undefined {
    return this.alarm;
  }

  get profile(): string {
    return this.control.profile;
  }

  /** It may have moved since, and more may be known of it. */
  meet({ parts, ...known }: Controllable): void {
    this.hand.meet(known);
    this.parts = parts;
  }

  moveTo(place: Place): void {
    this.hand.moveTo(place);
  }

  /** The numbers that limit what may be asked; read from the device the first time. */
  async facts(): Promise<Facts> {
    const facts = await this.hand.facts();
    this.closeLater();
    return facts;
  }

  /** Throws a MissingFact when the device does not tell what is needed to do this and to take it back. */
  async rehearse({ subject, power_w }: Pick<Command, 'subject' | 'power_w'>): Promise<void> {
    const hand = await this.hand.open();
    await hand.rehearse(this.partOf(subject), this.askedBy(subject, power_w), await this.hand.facts());
  }

  wake(): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    const now = this.deps.monotonic.now();
    const next = this.lease.next(now);
    if (!next) this.rest();
    else if ('at' in next) this.timer = setTimeout(() => this.wake(), Math.max(0, next.at - now)).unref();
    else void this.run(next);
  }

  private rest(): void {
    if (!this.lease.isIdle) return;
    this.closeLater();
    for (const tell of this.waiters.splice(0)) tell();
  }

  /** Resolves when nothing is under control any more. */
  idle(): Promise<void> {
    return this.lease.isIdle ? Promise.resolve() : new Promise((resolve) => this.waiters.push(resolve));
  }

  private async run(job: Job): Promise<void> {
    let failure: string | undefined;
    try {
      await this.perform(job);
    } catch (error) {
      failure = (error as Error).message;
      this.failed(job, error as Error);
    }
    this.lease.finish(job, this.deps.monotonic.now(), failure);
    this.wake();
  }

  private async perform(job: Job): Promise<void> {
    const hand = await this.hand.open();
    if (job.kind === 'release') return this.release(job.subjects, hand);
    const facts = await this.hand.facts();
    if (job.kind === 'apply') return this.apply(job.command, facts, hand);
    const { subject, power_w } = job.command;
    await this.tell(this.partOf(subject), this.asked(power_w, power_w), { facts, ends: this.endsWith() }, hand);
  }

  private async apply({ subject, power_w, endsAt }: Command, facts: Facts, hand: Hand): Promise<void> {
    const part = this.partOf(subject);
    const asked = this.askedBy(subject, power_w);
    await hand.rehearse(part, asked, facts); // what is on disk can be released
    const ends = this.endsWith(part, endsAt);
    await this.traces.mark(part, { place: this.hand.place, facts, ends });
    if (this.deps.monotonic.now() >= endsAt) throw new Error(endedWaiting);
    await this.tell(part, asked, { facts, ends }, hand);
  }

  /** Control is taken before the first set point, and again when the device has gone back by itself meanwhile. */
  private async tell(
    part: Part,
    asked: Setpoint | undefined,
    { facts, ends }: { facts: Facts; ends: Ends },
    hand: Hand,
  ): Promise<void> {
    const { monotonic } = this.deps;
    const { revertsAfterMs = Number.POSITIVE_INFINITY } = this.control;
    if (part === 'battery' && monotonic.now() - this.toldAt >= revertsAfterMs) {
      await this.traces.note(await hand.take(facts), ends);
    }
    if (asked) {
      this.count++;
      await this.traces.note(await hand.set(part, asked, facts), ends);
    }
    if (part === 'battery') this.toldAt = monotonic.now();
    if (this.untold.delete(part)) this.deps.log.info({ sn: this.sn, part }, 'the device is controlled again');
  }

  /** Taking control is about the battery where there is one. */
  partOf(subject: Subject): Part {
    return subject === 'take' ? this.parts[0]! : subject;
  }

  private askedBy(subject: Subject, power_w: number): Setpoint | undefined {
    return subject === 'take' ? undefined : this.asked(power_w, this.lease.held.get(subject)?.power_w ?? 0);
  }

  private asked(W: number, previousW: number): Setpoint {
    return { W, previousW, count: this.count };
  }

  /** When each part has to be back in its own mode. */
  private endsWith(part?: Part, endsAt?: number): Ends {
    const held = [...this.lease.held].map(([subject, command]) => [this.partOf(subject), command.endsAt]);
    return { ...Object.fromEntries(held), ...(part && { [part]: endsAt }) };
  }

  private async release(subjects: readonly Subject[], hand: Hand): Promise<void> {
    const wanted = subjects.map((subject) => this.partOf(subject));
    const isAll = this.lease.held.size === 0;
    await this.free(this.traces.toRelease(wanted, isAll), hand);
    if (isAll) {
      await this.traces.wipe();
      this.hand.forget();
    } else await this.traces.keep(this.endsWith());
    if (this.alarm) this.deps.log.info({ sn: this.sn }, 'device released after all');
    this.alarm = undefined;
  }

  private async free(parts: readonly Part[], hand: Hand): Promise<void> {
    if (parts.length === 0) return;
    const { left } = this.traces;
    const facts = left ? this.hand.completed(left.facts) : await this.hand.facts();
    await hand.release(parts, facts, left ?? { parts: [] });
    this.traces.released(parts);
    if (parts.includes('battery')) this.toldAt = Number.NEGATIVE_INFINITY;
  }

  private failed(job: Job, error: Error): void {
    const { log } = this.deps;
    this.hand.drop();
    if (job.kind !== 'release') {
      const part = this.partOf(job.command.subject);
      const isRepeated = job.kind === 'refresh' && this.untold.has(part);
      if (!isRepeated) log.warn({ err: error, sn: this.sn, job: job.kind }, 'the device was not controlled');
      this.untold.add(part);
      return;
    }
    if (!this.alarm) {
      log.error({ err: error, sn: this.sn, reason: job.reason }, notReleased);
    }
    this.alarm = error.message;
  }

  private closeLater(): void {
    this.hand.closeLater(() => !this.lease.isIdle);
  }

  /** Stops doing anything, whatever the state of the device is. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.hand.close();
  }
}
