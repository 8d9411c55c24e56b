import { asError } from '#lib/error-code.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { Facts, Part, Setpoint } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import { type Actuator, releaseFailed } from './actuator.ts';
import { type ActuatorSessionDeps, createActuatorSession } from './actuator-session.ts';
import { type Command, type CommandStatus, expiredWhileQueued, type Subject } from './command.ts';
import { type ControlJournalDeps, createControlJournal } from './control-journal.ts';
import { type Job, Lease, type Refresh } from './lease.ts';
import type { Marker, ReleaseDeadlines } from './watchdog-messages.ts';

export type DeviceControlDeps = ActuatorSessionDeps &
  ControlJournalDeps & { onStatus(sn: string, command: Command, status: CommandStatus): void };

/** A device with its control profile. `parts` is not empty; `configured` holds facts that a person has set. */
export type Controllable = {
  control: ControlProfile;
  address: DeviceAddress;
  parts: readonly Part[];
  configured: Facts;
};

/** A device without new readings for this long is released. */
export const maxSilenceMs = 30_000;

const paceMs = 1000;

/** A device that does not leave control on its own may be unreachable for as long as it may be silent. */
const refreshOf = ({ refreshMs, expiringParts = ['battery'], revertsAfterMs }: ControlProfile): Refresh | undefined =>
  refreshMs === undefined
    ? undefined
    : { parts: expiringParts, everyMs: refreshMs, lostAfterMs: revertsAfterMs ?? maxSilenceMs };

/** Carries out the jobs of one device's lease, one after the other. */
export class DeviceControl {
  readonly sn: string;
  readonly lease: Lease;
  readonly #control: ControlProfile;
  #parts: readonly Part[];
  readonly #deps: DeviceControlDeps;
  readonly #session: ReturnType<typeof createActuatorSession>;
  readonly #journal: ReturnType<typeof createControlJournal>;
  /** when its battery was last written, ms on the monotonic clock */
  #batteryWrittenAt = Number.NEGATIVE_INFINITY;
  #setpoints = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #fault: string | undefined;
  /** parts whose last write failed */
  readonly #failing = new Set<Part>();
  #waiters: (() => void)[] = [];

  constructor(sn: string, { control, parts, ...target }: Controllable, deps: DeviceControlDeps) {
    this.sn = sn;
    this.#control = control;
    this.#parts = parts;
    this.#deps = deps;
    this.#session = createActuatorSession(control, target, deps);
    this.#journal = createControlJournal(sn, control.profile, deps);
    const rules = { paceMs, refresh: refreshOf(control) };
    this.lease = new Lease(rules, (command, status) => deps.onStatus(sn, command, status));
  }

  /** Releases a device that an earlier process left under control. Its commands are never resumed. */
  static fromMarker(marker: Marker, control: ControlProfile, deps: DeviceControlDeps): DeviceControl {
    const { sn, place: address, parts } = marker;
    const device = new DeviceControl(sn, { control, address, parts, configured: {} }, deps);
    device.#session.restoreFacts(marker.facts);
    device.#journal.restore(marker);
    device.lease.forceRelease(marker.parts, 'An earlier process left the device under control.');
    return device;
  }

  /** The error of the last release, while releasing fails. */
  get fault(): string | undefined {
    return this.#fault;
  }

  get profile(): string {
    return this.#control.profile;
  }

  update({ parts, address, configured }: Partial<Controllable> & { address: DeviceAddress }): void {
    this.#session.moveTo({ address, ...(configured && { configured }) });
    this.#parts = parts ?? this.#parts;
  }

  /** Returns the values that limit a setpoint, read from the device the first time. */
  async facts(): Promise<Facts> {
    const facts = await this.#session.facts();
    this.#closeLater();
    return facts;
  }

  /** Throws a MissingFact when the device lacks the values needed to apply this setpoint and to release it. */
  async dryRun({ subject, power_w }: Pick<Command, 'subject' | 'power_w'>): Promise<void> {
    const actuator = await this.#session.open();
    await actuator.dryRun(this.partOf(subject), this.#setpointOf(subject, power_w), await this.#session.facts());
  }

  /** Starts the next job of the lease, or sets a timer for it. */
  wake(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const now = this.#deps.monotonic.now();
    const next = this.lease.next(now);
    if (!next) this.#rest();
    else if ('at' in next) this.#timer = setTimeout(() => this.wake(), Math.max(0, next.at - now)).unref();
    else void this.#run(next);
  }

  #rest(): void {
    if (!this.lease.isIdle) return;
    this.#closeLater();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Resolves when the device is released. */
  idle(): Promise<void> {
    return this.lease.isIdle ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  async #run(job: Job): Promise<void> {
    let failure: string | undefined;
    try {
      await this.#perform(job);
    } catch (error) {
      const cause = asError(error);
      failure = cause.message;
      this.#noteFailure(job, cause);
    }
    this.lease.finish(job, this.#deps.monotonic.now(), failure);
    this.wake();
  }

  async #perform(job: Job): Promise<void> {
    const actuator = await this.#session.open();
    if (job.kind === 'release') return this.#release(job.subjects, actuator);
    const facts = await this.#session.facts();
    if (job.kind === 'apply') return this.#apply(job.command, facts, actuator);
    const { subject, power_w } = job.command;
    await this.#write(this.partOf(subject), this.#setpoint(power_w, power_w), facts, this.#deadlines(), actuator);
  }

  async #apply({ subject, power_w, endsAt }: Command, facts: Facts, actuator: Actuator): Promise<void> {
    const part = this.partOf(subject);
    const setpoint = this.#setpointOf(subject, power_w);
    await actuator.dryRun(part, setpoint, facts); // so that the marker on disk always suffices for a release
    const deadlines = { ...this.#deadlines(), [part]: endsAt };
    await this.#journal.begin(part, { address: this.#session.address(), facts, endsAt }, deadlines);
    if (this.#deps.monotonic.now() >= endsAt) throw new Error(expiredWhileQueued);
    await this.#write(part, setpoint, facts, deadlines, actuator);
  }

  /** Writes a setpoint. Takes control first, and again when the device may have left control in the meantime. */
  async #write(
    part: Part,
    setpoint: Setpoint | undefined,
    facts: Facts,
    deadlines: ReleaseDeadlines,
    actuator: Actuator,
  ): Promise<void> {
    const { monotonic, log } = this.#deps;
    const { revertsAfterMs = Number.POSITIVE_INFINITY } = this.#control;
    if (part === 'battery' && monotonic.now() - this.#batteryWrittenAt >= revertsAfterMs) {
      await this.#journal.noteRegisters(await actuator.take(facts), deadlines);
    }
    if (setpoint) {
      this.#setpoints++;
      await this.#journal.noteRegisters(await actuator.set(part, setpoint, facts), deadlines);
    }
    if (part === 'battery') this.#batteryWrittenAt = monotonic.now();
    if (this.#failing.delete(part)) log.info({ sn: this.sn, part }, 'device controlled again');
  }

  /** Taking control applies to the battery where there is one. */
  partOf(subject: Subject): Part {
    if (subject !== 'take') return subject;
    const [first] = this.#parts;
    if (!first) throw new Error(`${this.sn} has no part that can be controlled.`);
    return first;
  }

  #setpointOf(subject: Subject, power_w: number): Setpoint | undefined {
    return subject === 'take' ? undefined : this.#setpoint(power_w, this.lease.held.get(subject)?.power_w ?? 0);
  }

  #setpoint(W: number, previousW: number): Setpoint {
    return { W, previousW, count: this.#setpoints };
  }

  /** Returns when each held part has to be back in its own mode. */
  #deadlines(): ReleaseDeadlines {
    return Object.fromEntries(Array.from(this.lease.held, ([subject, { endsAt }]) => [this.partOf(subject), endsAt]));
  }

  async #release(subjects: readonly Subject[], actuator: Actuator): Promise<void> {
    const wanted = subjects.map((subject) => this.partOf(subject));
    const isAll = this.lease.held.size === 0;
    await this.#releaseParts(this.#journal.partsToRelease(wanted, isAll), actuator);
    if (isAll) {
      await this.#journal.clear();
      this.#session.forgetFacts();
    } else await this.#journal.keep(this.#deadlines());
    if (this.#fault) this.#deps.log.info({ sn: this.sn }, 'device released after earlier failures');
    this.#fault = undefined;
  }

  async #releaseParts(parts: readonly Part[], actuator: Actuator): Promise<void> {
    if (parts.length === 0) return;
    const marker = this.#journal.marker();
    const facts = marker ? this.#session.completeFacts(marker.facts) : await this.#session.facts();
    await actuator.release(parts, facts, marker ?? { parts: [] });
    this.#journal.noteReleased(parts);
    if (parts.includes('battery')) this.#batteryWrittenAt = Number.NEGATIVE_INFINITY;
  }

  /** Logs a repeated failure once. */
  #noteFailure(job: Job, error: Error): void {
    const { log } = this.#deps;
    this.#session.drop();
    if (job.kind === 'release') {
      if (!this.#fault) log.error({ err: error, sn: this.sn, reason: job.reason }, releaseFailed);
      this.#fault = error.message;
      return;
    }
    const part = this.partOf(job.command.subject);
    const isRepeated = job.kind === 'refresh' && this.#failing.has(part);
    if (!isRepeated) log.warn({ err: error, sn: this.sn, job: job.kind }, 'failed to control the device');
    this.#failing.add(part);
  }

  #closeLater(): void {
    this.#session.closeLater(() => !this.lease.isIdle);
  }

  /** Stops at once, even if the device is still under control. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#session.close();
  }
}
