import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Asked, Facts, Part } from '../profiles/control/control-profile.ts';
import type { Control } from '../profiles/control/index.ts';
import type { Command, Said, Subject } from './command.ts';
import type { Hand } from './hand.ts';
import { type Job, Lease } from './lease.ts';
import type { Marker, Markers } from './marker.ts';
import type { OpenHand } from './open-hand.ts';
import type { Place } from './place.ts';
import type { Watchdog } from './watchdog.ts';
import type { Ends } from './watchdog-messages.ts';

export type DeviceControlDeps = {
  openHand: OpenHand;
  markers: Markers;
  watchdog: Watchdog;
  say(sn: string, command: Command, said: Said): void;
  clock: Clock;
  monotonic: Clock;
  log: Logger;
};

/** What there is to control, where, and how; `parts` are not empty, `known` is what a person has set. */
export type Controllable = { control: Control; place: Place; parts: readonly Part[]; known: Facts };

const paceMs = 1000;
const retryMs = 1000;
const openIdleMs = 30_000; // whoever has asked for the limits may command soon

/** Does to one device what its lease asks for, one thing after the other. */
export class DeviceControl {
  readonly sn: string;
  readonly lease: Lease;
  private readonly control: Control;
  private place: Place;
  private parts: readonly Part[];
  private readonly deps: DeviceControlDeps;
  private hand: Promise<Hand> | undefined;
  /** what the device has told of itself before anything was written */
  private learned: Promise<Facts> | undefined;
  private known: Facts;
  private marker: Marker | undefined;
  /** parts that may have been written and were not seen in their own mode since */
  private readonly touched = new Set<Part>();
  /** parts that were seen in their own mode since, and of which that is still to be noted */
  private readonly freed = new Set<Part>();
  /** when its battery was told something, ms on the monotonic clock */
  private toldAt = Number.NEGATIVE_INFINITY;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  private idling: NodeJS.Timeout | undefined;
  private isClosed = false;
  private alarm: string | undefined;
  private waiters: (() => void)[] = [];

  constructor(sn: string, { control, place, parts, known }: Controllable, deps: DeviceControlDeps) {
    this.sn = sn;
    this.control = control;
    this.place = place;
    this.parts = parts;
    this.known = known;
    this.deps = deps;
    const rules = { paceMs, retryMs, refreshMs: control.refreshMs };
    this.lease = new Lease(rules, (command, said) => deps.say(sn, command, said));
  }

  /** Takes up what a process before left behind: it is released, never resumed. */
  static leftBehind(marker: Marker, control: Control, deps: DeviceControlDeps): DeviceControl {
    const { sn, place, parts } = marker;
    const device = new DeviceControl(sn, { control, place, parts, known: {} }, deps);
    device.marker = marker;
    device.learned = Promise.resolve(marker.facts);
    for (const part of parts) device.touched.add(part);
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
  meet({ place, parts, known }: Controllable): void {
    this.moveTo(place);
    this.parts = parts;
    this.known = known;
  }

  moveTo(place: Place): void {
    if (!isDeepStrictEqual(place, this.place)) this.drop();
    this.place = place;
  }

  /** The numbers that limit what may be asked; read from the device the first time. */
  async facts(): Promise<Facts> {
    const facts = await this.learn(await this.open());
    this.closeLater();
    return facts;
  }

  /** Throws a MissingFact when the device does not tell what is needed to do this and to take it back. */
  async rehearse({ subject, power_w }: Pick<Command, 'subject' | 'power_w'>): Promise<void> {
    const hand = await this.open();
    await hand.rehearse(this.partOf(subject), this.askedBy(subject, power_w), await this.learn(hand));
  }

  private async learn(hand: Hand): Promise<Facts> {
    this.learned ??= hand.learn();
    const { learned } = this;
    try {
      return { ...(await learned), ...this.known };
    } catch (error) {
      if (this.learned === learned) this.learned = undefined;
      throw error;
    }
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
    const hand = await this.open();
    if (job.kind === 'release') return this.release(job.subjects, hand);
    const facts = await this.learn(hand);
    if (job.kind === 'refresh') {
      const { forgets = ['battery'] } = this.control;
      for (const { subject, power_w } of job.commands) {
        if (subject !== 'take' && forgets.includes(subject))
          await this.tell(subject, this.asked(power_w, power_w), { facts, ends: this.endsWith() }, hand);
      }
      return;
    }
    await this.apply(job.command, facts, hand);
  }

  private async apply({ subject, power_w, endsAt }: Command, facts: Facts, hand: Hand): Promise<void> {
    const part = this.partOf(subject);
    const asked = this.askedBy(subject, power_w);
    await hand.rehearse(part, asked, facts); // what is on disk can be released
    await this.mark(part, facts, endsAt);
    const ends = this.endsWith(part, endsAt);
    await this.deps.watchdog.hold(this.marker!, ends);
    if (this.deps.monotonic.now() >= endsAt) throw new Error('Its time was over before it could be applied.');
    await this.tell(part, asked, { facts, ends }, hand);
  }

  /** Control is taken before the first set point, and again when the device has gone back by itself meanwhile. */
  private async tell(
    part: Part,
    asked: Asked | undefined,
    { facts, ends }: { facts: Facts; ends: Ends },
    hand: Hand,
  ): Promise<void> {
    const { monotonic } = this.deps;
    const { revertsAfterMs = Number.POSITIVE_INFINITY } = this.control;
    this.freed.delete(part);
    if (part === 'battery' && monotonic.now() - this.toldAt >= revertsAfterMs) {
      await this.note(await hand.take(facts), ends);
    }
    if (asked) {
      this.count++;
      await this.note(await hand.set(part, asked, facts), ends);
    }
    if (part === 'battery') this.toldAt = monotonic.now();
  }

  /** Registers that were seen to hold what was written: whoever releases the device knows that it has them. */
  private async note(registers: readonly number[], ends: Ends): Promise<void> {
    const marker = this.marker!;
    const noted = marker.registers ?? [];
    const fresh = registers.filter((address) => !noted.includes(address));
    if (fresh.length === 0) return;
    this.marker = { ...marker, registers: [...noted, ...fresh] };
    await this.deps.markers.write(this.marker);
    await this.deps.watchdog.hold(this.marker, ends);
  }

  /** Taking control is about the battery where there is one. */
  private partOf(subject: Subject): Part {
    return subject === 'take' ? this.parts[0]! : subject;
  }

  private askedBy(subject: Subject, power_w: number): Asked | undefined {
    return subject === 'take' ? undefined : this.asked(power_w, this.lease.held.get(subject)?.power_w ?? 0);
  }

  private asked(W: number, previousW: number): Asked {
    return { W, previousW, count: this.count };
  }

  /** Before the first write it is on disk that the device may need to be released, and where. */
  private async mark(part: Part, facts: Facts, endsAt: number): Promise<void> {
    if (this.marker && this.touched.has(part) && isDeepStrictEqual(this.marker.place, this.place)) return;
    const { clock, monotonic, markers } = this.deps;
    const now = clock.now();
    const marker: Marker = {
      id: this.marker?.id ?? randomUUID(),
      sn: this.sn,
      profile: this.control.profile,
      place: this.place,
      parts: [...new Set([...this.touched, part])],
      registers: this.marker?.registers ?? [],
      facts,
      since: this.marker?.since ?? now,
      until: Math.round(now + endsAt - monotonic.now()),
    };
    await markers.write(marker);
    this.marker = marker;
    this.touched.add(part);
  }

  /** When each part has to be back in its own mode. */
  private endsWith(part?: Part, endsAt?: number): Ends {
    const held = [...this.lease.held].map(([subject, command]) => [this.partOf(subject), command.endsAt]);
    return { ...Object.fromEntries(held), ...(part && { [part]: endsAt }) };
  }

  private async release(subjects: readonly Subject[], hand: Hand): Promise<void> {
    const wanted = subjects.map((subject) => this.partOf(subject));
    const isAll = this.lease.held.size === 0;
    const parts = [...new Set([...wanted, ...(isAll ? this.touched : [])])];
    await this.free(
      parts.filter((part) => !this.freed.has(part)),
      hand,
    );
    if (isAll) {
      await this.deps.markers.remove(this.sn);
      this.marker = undefined;
      this.learned = undefined;
      this.deps.watchdog.released(this.sn);
    } else await this.deps.watchdog.hold(this.marker!, this.endsWith());
    this.freed.clear();
    if (this.alarm) this.deps.log.info({ sn: this.sn }, 'device released after all');
    this.alarm = undefined;
  }

  private async free(parts: readonly Part[], hand: Hand): Promise<void> {
    if (parts.length === 0) return;
    const { marker } = this;
    const facts = marker ? { ...this.known, ...marker.facts } : await this.learn(hand);
    await hand.release(parts, facts, marker ?? { parts: [] });
    for (const part of parts) {
      this.touched.delete(part);
      this.freed.add(part);
    }
    if (parts.includes('battery')) this.toldAt = Number.NEGATIVE_INFINITY;
  }

  private failed(job: Job, error: Error): void {
    const { log } = this.deps;
    this.drop();
    if (job.kind !== 'release') {
      log.warn({ err: error, sn: this.sn, job: job.kind }, 'the device was not controlled');
      return;
    }
    if (!this.alarm) {
      log.error(
        { err: error, sn: this.sn, reason: job.reason },
        'the device could not be released; it is tried on and on',
      );
    }
    this.alarm = error.message;
  }

  private async open(): Promise<Hand> {
    this.hand ??= this.deps.openHand(this.control, this.place);
    try {
      return await this.hand;
    } catch (error) {
      this.hand = undefined;
      throw error;
    }
  }

  private closeLater(): void {
    clearTimeout(this.idling);
    this.idling = setTimeout(() => {
      if (!this.lease.isIdle) return;
      this.drop();
      this.learned = undefined;
    }, openIdleMs).unref();
  }

  /** Gives the connection up; the next job opens another one. */
  private drop(): void {
    const { hand } = this;
    this.hand = undefined;
    hand?.then((open) => open.close()).catch((error) => this.deps.log.warn({ err: error }, 'a link was not closed'));
  }

  /** Stops doing anything, whatever the state of the device is. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.idling);
    this.drop();
  }
}
