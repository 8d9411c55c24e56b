import { heldLocally, overriddenLocally } from '#contract/command.ts';
import type { Part } from '../profiles/control/control-profile.ts';
import { releaseRetryMs, retryMs } from './actuator.ts';
import { type Command, type CommandStatus, expiredOnArrival, expiredWhileQueued, type Subject } from './command.ts';

export type Job =
  | { kind: 'apply'; command: Command }
  | { kind: 'refresh'; command: Command }
  | { kind: 'release'; subjects: readonly Subject[]; reason: string };

/** For devices that forget a setpoint: how often it is written again, and after how long without success it is released. */
export type Refresh = { parts: readonly Part[]; everyMs: number; lostAfterMs: number };

export type LeaseRules = {
  paceMs: number;
  refresh?: Refresh | undefined;
};

const held = 'A command of a person holds the device.';

const isFromCloud = ({ origin }: Command): boolean => origin === 'cloud';

/** Decides which command holds each part of a device and what to do next, releases first. Has no I/O and no timers. */
export class Lease {
  readonly #rules: LeaseRules;
  readonly #onStatus: (command: Command, status: CommandStatus) => void;
  readonly #queued = new Map<Subject, Command>();
  readonly held = new Map<Subject, Command>();
  readonly #ending = new Map<Subject, { command: Command | undefined; reason: string }>();
  readonly #newestIssuedAt = new Map<Subject, number>();
  #running: Job | undefined;
  #endedWhileRunning: string | undefined;
  #appliedAt = Number.NEGATIVE_INFINITY;
  /** for each subject, when it was last written and when it has to be written again */
  readonly #written = new Map<Subject, { at: number; againAt: number }>();
  #failedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;

  constructor(rules: LeaseRules, onStatus: (command: Command, status: CommandStatus) => void) {
    this.#rules = rules;
    this.#onStatus = onStatus;
  }

  get isIdle(): boolean {
    return !this.#running && this.#queued.size + this.held.size + this.#ending.size === 0;
  }

  get isEnding(): boolean {
    return this.#ending.size > 0;
  }

  /** Queues a command, or returns why it is refused. Ignores earlier issue times after `latest`: a clock was ahead. */
  offer(
    command: Command,
    now: number,
    { newest = 0, latest = Number.POSITIVE_INFINITY }: { newest?: number | undefined; latest?: number } = {},
  ): string | undefined {
    const { subject, origin, issuedAt, endsAt } = command;
    if (endsAt <= now) return expiredOnArrival;
    this.#expireQueued(now);
    if (origin === 'plan') return this.#offerPlan(command);
    const before = this.#newestIssuedAt.get(subject) ?? 0;
    const issued = before <= latest ? before : 0;
    if (origin === 'cloud') {
      const rivals = [...this.#commandsOf(subject), ...this.#commandsOf('take')];
      const isLocalCommandActive = rivals.some((rival) => rival.origin === 'local' && rival.endsAt > now);
      if (isLocalCommandActive) return heldLocally;
      if (issuedAt < Math.max(newest, issued)) return 'A newer command arrived before this one.';
    }
    this.#newestIssuedAt.set(subject, Math.max(issuedAt, issued));
    if (subject === 'take') {
      // Someone at home takes control.
      if (origin === 'local')
        this.#endMatching(['battery', 'pv'], overriddenLocally, issuedAt, ({ origin }) => origin !== 'local');
      const commands = [...this.#commandsOf('battery'), ...this.#commandsOf('pv')];
      if (commands.some((each) => each.origin === origin && each.endsAt > now)) return undefined; // control is taken already
    }
    const replaced = this.#queued.get(subject);
    if (replaced) this.#fail(replaced, 'A newer command replaced this one before it was applied.');
    this.#queued.set(subject, command);
    return undefined;
  }

  /** Queues a setpoint of a plan unless a person commands the part. Its issue time does not count: it is made as it is offered. */
  #offerPlan(command: Command): string | undefined {
    const { subject } = command;
    if (this.isCommanded(subject)) return held;
    this.#queued.set(subject, command);
    return undefined;
  }

  /** Returns whether a person commands the part, locally or on the platform. */
  isCommanded(subject: Subject): boolean {
    return [...this.#commandsOf(subject), ...this.#commandsOf('take')].some(({ origin }) => origin !== 'plan');
  }

  /** Extends the lease of a setpoint of a plan that is held and stays the same; returns whether it did. */
  extend(subject: Subject, power_w: number, endsAt: number): boolean {
    const command = this.held.get(subject);
    const isSame = command?.origin === 'plan' && command.power_w === power_w;
    if (!isSame || this.#queued.has(subject) || this.#running) return false;
    command.endsAt = endsAt;
    return true;
  }

  /** Releases what a plan holds. Commands of persons stay. */
  endPlan(subject: Subject, reason: string): void {
    this.#endMatching([subject], reason, 0, ({ origin }) => origin === 'plan');
  }

  /** Returns the commands for a subject that are queued, held or being applied. */
  #commandsOf(subject: Subject): Command[] {
    const applying = this.#endedWhileRunning === undefined ? this.#applying : undefined;
    const found = [this.#queued.get(subject), this.held.get(subject), applying];
    return found.filter((command) => command !== undefined).filter((command) => command.subject === subject);
  }

  get #applying(): Command | undefined {
    return this.#running?.kind === 'apply' ? this.#running.command : undefined;
  }

  /** Ends the commands that are held, queued or being applied, of one subject or all. Refuses older commands from now on. */
  end(reason: string, issuedAt: number, only?: Subject): void {
    this.#endMatching(only ? [only] : ['take', 'battery', 'pv'], reason, issuedAt, () => true);
  }

  /** Ends what the platform commanded up to `issuedAt`. Local commands stay. */
  endCloud(subject: Subject, reason: string, issuedAt: number): void {
    this.#endMatching([subject], reason, issuedAt, (command) => isFromCloud(command) && command.issuedAt <= issuedAt);
  }

  #endMatching(subjects: readonly Subject[], reason: string, issuedAt: number, matches: (command: Command) => boolean) {
    for (const subject of subjects) {
      this.#newestIssuedAt.set(subject, Math.max(issuedAt, this.#newestIssuedAt.get(subject) ?? 0));
      const waiting = this.#queued.get(subject);
      if (waiting && matches(waiting)) {
        this.#queued.delete(subject);
        this.#fail(waiting, `The command was cancelled before it was applied. ${reason}`);
      }
      const held = this.held.get(subject);
      if (held && matches(held)) {
        this.held.delete(subject);
        this.#ending.set(subject, { command: held, reason });
      }
      const applying = this.#applying;
      if (applying?.subject === subject && matches(applying)) this.#endedWhileRunning = reason;
    }
  }

  #fail(command: Command, message: string): void {
    this.#onStatus(command, { status: 'failed', message });
  }

  /** Releases these subjects even if no command of this process holds them. */
  forceRelease(subjects: readonly Subject[], reason: string): void {
    for (const subject of subjects) {
      if (!this.#ending.has(subject)) this.#ending.set(subject, { command: undefined, reason });
    }
  }

  /** Returns the job that is due, or the time of the next one. */
  next(now: number): Job | { at: number } | undefined {
    if (this.#running) return undefined;
    this.#expireQueued(now);
    this.#expireHeld(now);
    const { paceMs } = this.#rules;
    const dues: number[] = [...this.#queued.values(), ...this.held.values()].map(({ endsAt }) => endsAt);
    const [ending] = this.#ending.values();
    if (ending) {
      const retryAt = this.#failedAt + releaseRetryMs(this.#failures);
      const job: Job = { kind: 'release', subjects: [...this.#ending.keys()], reason: ending.reason };
      if (now >= retryAt) return this.#start(job);
      dues.push(retryAt);
    }
    const [command] = ending ? [] : this.#queued.values();
    if (command && now >= this.#appliedAt + paceMs) return this.#start({ kind: 'apply', command });
    if (command) dues.push(this.#appliedAt + paceMs);
    const refresh = this.#nextRefresh();
    if (refresh && now >= refresh.at) return this.#start({ kind: 'refresh', command: refresh.command });
    if (refresh) dues.push(refresh.at);
    return dues.length > 0 ? { at: Math.min(...dues) } : undefined;
  }

  /** Returns the held command that has to be written again first, and when. */
  #nextRefresh(): { command: Command; at: number } | undefined {
    const parts: readonly Subject[] = this.#rules.refresh?.parts ?? [];
    const [first] = [...this.held.values()]
      .filter(({ subject }) => parts.includes(subject))
      .map((command) => ({ command, at: this.#lastWrite(command.subject).againAt }))
      .toSorted((one, other) => one.at - other.at);
    return first;
  }

  #lastWrite(subject: Subject): { at: number; againAt: number } {
    const written = this.#written.get(subject);
    if (!written) throw new Error(`No setpoint was written for ${subject}.`);
    return written;
  }

  #start(job: Job): Job {
    this.#running = job;
    this.#endedWhileRunning = undefined;
    if (job.kind === 'apply') this.#queued.delete(job.command.subject);
    return job;
  }

  #expireQueued(now: number): void {
    for (const [subject, command] of this.#queued) {
      if (command.endsAt > now) continue;
      this.#queued.delete(subject);
      this.#onStatus(command, { status: 'expired', message: expiredWhileQueued });
    }
  }

  #expireHeld(now: number): void {
    for (const [subject, command] of this.held) {
      if (command.endsAt > now) continue;
      this.held.delete(subject);
      this.#onStatus(command, { status: 'expired' });
      this.#ending.set(subject, { command, reason: 'The lease has ended.' });
    }
  }

  /** Takes the result of a job; `failure` is the reason when it failed. */
  finish(job: Job, now: number, failure?: string): void {
    this.#running = undefined;
    if (job.kind === 'release') this.#finishRelease(job.subjects, now, failure);
    else if (job.kind === 'refresh') this.#finishRefresh(job.command, now, failure);
    else {
      this.#appliedAt = now;
      if (failure === undefined) this.#hold(job.command, now);
      else this.#failApply(job.command, failure);
    }
  }

  #noteWritten(subject: Subject, now: number): void {
    this.#written.set(subject, { at: now, againAt: now + (this.#rules.refresh?.everyMs ?? Number.POSITIVE_INFINITY) });
  }

  /** After `lostAfterMs` of failures the device has left control, or its state is unknown: it is released. */
  #finishRefresh(command: Command, now: number, failure: string | undefined): void {
    const { subject } = command;
    if (failure === undefined) {
      this.#noteWritten(subject, now);
      return;
    }
    const { at } = this.#lastWrite(subject);
    this.#written.set(subject, { at, againAt: now + retryMs });
    const isLost = now - at >= (this.#rules.refresh?.lostAfterMs ?? Number.POSITIVE_INFINITY);
    if (!isLost || this.held.get(subject) !== command) return; // it may have been released in the meantime
    this.#fail(command, failure);
    this.held.delete(subject);
    this.#ending.set(subject, { command: undefined, reason: failure });
  }

  /** Holds a command that was applied, unless it was ended while it was being applied. */
  #hold(command: Command, now: number): void {
    const { subject } = command;
    const before = this.#lastHeld(subject);
    this.#noteWritten(subject, now);
    this.#onStatus(command, { status: 'applied' });
    if (before?.origin === 'cloud' && command.origin === 'local') this.#fail(before, overriddenLocally);
    this.held.set(subject, command);
    this.#ending.delete(subject); // the new setpoint replaces the one that was to be released
    if (subject !== 'take') this.held.delete('take');
    if (this.#endedWhileRunning !== undefined) {
      this.held.delete(subject);
      this.#ending.set(subject, { command, reason: this.#endedWhileRunning });
    }
  }

  /** Releases the subject of a command that could not be applied, because the state of the device is unknown. */
  #failApply(command: Command, failure: string): void {
    const { subject } = command;
    const before = this.#lastHeld(subject);
    this.#fail(command, failure);
    this.held.delete(subject);
    this.#ending.set(subject, { command: before, reason: failure });
    const taken = this.held.get('take');
    if (taken) this.#ending.set('take', { command: taken, reason: failure });
    this.held.delete('take');
  }

  #lastHeld(subject: Subject): Command | undefined {
    return this.held.get(subject) ?? this.#ending.get(subject)?.command;
  }

  #finishRelease(subjects: readonly Subject[], now: number, failure: string | undefined): void {
    if (failure !== undefined) {
      this.#failedAt = now;
      this.#failures++;
      return;
    }
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.#failures = 0;
    for (const subject of subjects) {
      const ending = this.#ending.get(subject);
      this.#ending.delete(subject);
      if (ending?.command) this.#onStatus(ending.command, { status: 'released', message: ending.reason });
    }
  }
}
