import type { Part } from '../profiles/control/control-profile.ts';
import { type Command, cameLate, endedWaiting, type Said, type Subject } from './command.ts';
import { releaseRetryMs, retryMs } from './release-retry.ts';

/** What has to be done to the device next. */
export type Job =
  | { kind: 'apply'; command: Command }
  | { kind: 'refresh'; command: Command }
  | { kind: 'release'; subjects: readonly Subject[]; reason: string };

/** What a device forgets: it is told again so often, and let go when that has failed for so long. */
export type Refresh = { parts: readonly Part[]; everyMs: number; lostAfterMs: number };

export type LeaseRules = {
  /** pause between two set points */
  paceMs: number;
  refresh?: Refresh | undefined;
};

const overridden = 'A local command overrides it.';

type Ending = { command: Command | undefined; reason: string };

/**
 * Who holds what of a device, until when, and what is to be done about it. It neither waits nor reaches anything: it is
 * asked for the next job, and told how that went. Releasing comes before everything else.
 */
export class Lease {
  private readonly rules: LeaseRules;
  private readonly say: (command: Command, said: Said) => void;
  private readonly waiting = new Map<Subject, Command>();
  readonly held = new Map<Subject, Command>();
  private readonly ending = new Map<Subject, Ending>();
  private readonly issued = new Map<Subject, number>();
  private running: Job | undefined;
  private endedMeanwhile: string | undefined;
  private appliedAt = Number.NEGATIVE_INFINITY;
  /** when the device has taken each subject last, and when it has to hear it again */
  private readonly told = new Map<Subject, { at: number; againAt: number }>();
  private failedAt = Number.NEGATIVE_INFINITY;
  private failures = 0;

  constructor(rules: LeaseRules, say: (command: Command, said: Said) => void) {
    this.rules = rules;
    this.say = say;
  }

  /** Nothing is held, waits or is being done. */
  get isIdle(): boolean {
    return !this.running && this.waiting.size + this.held.size + this.ending.size === 0;
  }

  get isEnding(): boolean {
    return this.ending.size > 0;
  }

  /**
   * Takes a command into the queue, or says why not. `newest` is when the newest one was issued as far as others know;
   * what was issued after `latest` counts for nothing, as the clock was ahead then.
   */
  offer(
    command: Command,
    now: number,
    { newest = 0, latest = Number.POSITIVE_INFINITY }: { newest?: number | undefined; latest?: number } = {},
  ): string | undefined {
    const { subject, origin, issuedAt, endsAt } = command;
    if (endsAt <= now) return cameLate;
    this.expireWaiting(now);
    const before = this.issued.get(subject) ?? 0;
    const issued = before <= latest ? before : 0;
    if (origin === 'cloud') {
      const rivals = [...this.commandsOf(subject), ...this.commandsOf('take')];
      const isOurs = rivals.some((rival) => rival.origin === 'local' && rival.endsAt > now);
      if (isOurs) return 'A local command holds the device.';
      if (issuedAt < Math.max(newest, issued)) return 'A newer command came before it.';
    }
    this.issued.set(subject, Math.max(issuedAt, issued));
    if (subject === 'take') {
      if (origin === 'local') this.endPlatform(issuedAt);
      const commands = [...this.commandsOf('battery'), ...this.commandsOf('pv')];
      if (commands.some((each) => each.origin === origin && each.endsAt > now)) return undefined; // so control is taken
    }
    const replaced = this.waiting.get(subject);
    if (replaced)
      this.say(replaced, { status: 'failed', message: 'A newer command replaced it before it was applied.' });
    this.waiting.set(subject, command);
    return undefined;
  }

  /** What waits, is held and is under way to be held. */
  private commandsOf(subject: Subject): Command[] {
    const coming = this.endedMeanwhile === undefined ? this.underWay : undefined;
    const found = [this.waiting.get(subject), this.held.get(subject), coming];
    return found.filter((command) => command?.subject === subject) as Command[];
  }

  private get underWay(): Command | undefined {
    return this.running?.kind === 'apply' ? this.running.command : undefined;
  }

  /** Lets go: of one subject or of all that is held, waits or is under way. Commands issued before are not taken any more. */
  end(reason: string, issuedAt: number, only?: Subject): void {
    for (const subject of only ? [only] : (['take', 'battery', 'pv'] as const)) {
      this.endWhere(subject, reason, issuedAt, () => true);
    }
  }

  /** The same by the platform, of what it has itself commanded until then: a local command holds against it. */
  endCloud(subject: Subject, reason: string, issuedAt: number): void {
    this.endWhere(subject, reason, issuedAt, (command) => command.origin === 'cloud' && command.issuedAt <= issuedAt);
  }

  /** Who takes control at home takes it from the platform. */
  private endPlatform(issuedAt: number): void {
    for (const subject of ['battery', 'pv'] as const) {
      this.endWhere(subject, overridden, issuedAt, ({ origin }) => origin === 'cloud');
    }
  }

  private endWhere(subject: Subject, reason: string, issuedAt: number, isMeant: (command: Command) => boolean): void {
    this.issued.set(subject, Math.max(issuedAt, this.issued.get(subject) ?? 0));
    const waiting = this.waiting.get(subject);
    if (waiting && isMeant(waiting)) {
      this.waiting.delete(subject);
      this.say(waiting, { status: 'failed', message: `It was let go before it was applied. ${reason}` });
    }
    const held = this.held.get(subject);
    if (held && isMeant(held)) {
      this.held.delete(subject);
      this.ending.set(subject, { command: held, reason });
    }
    const { underWay } = this;
    if (underWay?.subject === subject && isMeant(underWay)) this.endedMeanwhile = reason;
  }

  /** Has these released although nobody here holds them. */
  insist(subjects: readonly Subject[], reason: string): void {
    for (const subject of subjects) {
      if (!this.ending.has(subject)) this.ending.set(subject, { command: undefined, reason });
    }
  }

  /** The job that is due, or when the next one will be. */
  next(now: number): Job | { at: number } | undefined {
    if (this.running) return undefined;
    this.expireWaiting(now);
    this.expireHeld(now);
    const { paceMs } = this.rules;
    const dues: number[] = [...this.waiting.values(), ...this.held.values()].map(({ endsAt }) => endsAt);
    if (this.ending.size > 0) {
      const retryAt = this.failedAt + releaseRetryMs(this.failures);
      if (now >= retryAt) return this.begin(this.release());
      dues.push(retryAt);
    }
    const [command] = this.ending.size > 0 ? [] : this.waiting.values();
    if (command && now >= this.appliedAt + paceMs) return this.begin({ kind: 'apply', command });
    if (command) dues.push(this.appliedAt + paceMs);
    const forgotten = this.forgottenFirst();
    if (forgotten && now >= forgotten.at) return this.begin({ kind: 'refresh', command: forgotten.command });
    if (forgotten) dues.push(forgotten.at);
    return dues.length > 0 ? { at: Math.min(...dues) } : undefined;
  }

  /** Of what is held, what the device has to hear again first, and when. */
  private forgottenFirst(): { command: Command; at: number } | undefined {
    const parts: readonly Subject[] = this.rules.refresh?.parts ?? [];
    const [first] = [...this.held.values()]
      .filter(({ subject }) => parts.includes(subject))
      .map((command) => ({ command, at: this.told.get(command.subject)!.againAt }))
      .toSorted((one, other) => one.at - other.at);
    return first;
  }

  private begin(job: Job): Job {
    this.running = job;
    this.endedMeanwhile = undefined;
    if (job.kind === 'apply') this.waiting.delete(job.command.subject);
    return job;
  }

  private release(): Job {
    const [first] = this.ending.values();
    return { kind: 'release', subjects: [...this.ending.keys()], reason: first!.reason };
  }

  private expireWaiting(now: number): void {
    for (const [subject, command] of this.waiting) {
      if (command.endsAt > now) continue;
      this.waiting.delete(subject);
      this.say(command, { status: 'expired', message: endedWaiting });
    }
  }

  private expireHeld(now: number): void {
    for (const [subject, command] of this.held) {
      if (command.endsAt > now) continue;
      this.held.delete(subject);
      this.say(command, { status: 'expired' });
      this.ending.set(subject, { command, reason: 'The lease has ended.' });
    }
  }

  /** How the job went; `failure` is why it did not. */
  finish(job: Job, now: number, failure?: string): void {
    this.running = undefined;
    if (job.kind === 'release') this.released(job.subjects, now, failure);
    else if (job.kind === 'refresh') this.refreshed(job.command, now, failure);
    else {
      this.appliedAt = now;
      if (failure === undefined) this.hold(job.command, now);
      else this.giveUp(job.command, failure);
    }
  }

  private hasTaken(subject: Subject, now: number): void {
    this.told.set(subject, { at: now, againAt: now + (this.rules.refresh?.everyMs ?? Number.POSITIVE_INFINITY) });
  }

  /** A device that cannot be told for so long has gone back by itself, or does what nobody knows. */
  private refreshed(command: Command, now: number, failure: string | undefined): void {
    const { subject } = command;
    if (failure === undefined) {
      this.hasTaken(subject, now);
      return;
    }
    const { at } = this.told.get(subject)!;
    this.told.set(subject, { at, againAt: now + retryMs });
    const isLost = now - at >= this.rules.refresh!.lostAfterMs;
    if (!isLost || this.held.get(subject) !== command) return; // it may have been let go meanwhile
    this.say(command, { status: 'failed', message: failure });
    this.held.delete(subject);
    this.ending.set(subject, { command: undefined, reason: failure });
  }

  /** It was applied, and holds unless it was ended meanwhile. */
  private hold(command: Command, now: number): void {
    const { subject } = command;
    const before = this.lastHeld(subject);
    this.hasTaken(subject, now);
    this.say(command, { status: 'applied' });
    if (before?.origin === 'cloud' && command.origin === 'local') {
      this.say(before, { status: 'failed', message: overridden });
    }
    this.held.set(subject, command);
    this.ending.delete(subject); // what was to be released has been replaced
    if (subject !== 'take') this.held.delete('take');
    if (this.endedMeanwhile !== undefined) {
      this.held.delete(subject);
      this.ending.set(subject, { command, reason: this.endedMeanwhile });
    }
  }

  /** It could not be applied; nobody knows what the device does now, so that it is released. */
  private giveUp(command: Command, failure: string): void {
    const { subject } = command;
    const before = this.lastHeld(subject);
    this.say(command, { status: 'failed', message: failure });
    this.held.delete(subject);
    this.ending.set(subject, { command: before, reason: failure });
    const taken = this.held.get('take');
    if (taken) this.ending.set('take', { command: taken, reason: failure });
    this.held.delete('take');
  }

  private lastHeld(subject: Subject): Command | undefined {
    return this.held.get(subject) ?? this.ending.get(subject)?.command;
  }

  private released(subjects: readonly Subject[], now: number, failure: string | undefined): void {
    if (failure !== undefined) {
      this.failedAt = now;
      this.failures++;
      return;
    }
    this.failedAt = Number.NEGATIVE_INFINITY;
    this.failures = 0;
    for (const subject of subjects) {
      const ending = this.ending.get(subject);
      this.ending.delete(subject);
      if (ending?.command) this.say(ending.command, { status: 'released', message: ending.reason });
    }
  }
}
