import { isDeepStrictEqual } from 'node:util';
import { asError } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { Facts, Part, Setpoint } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import { type Actuator, releaseFailed } from './actuator.ts';
import { type Command, type CommandStatus, expiredWhileQueued, type Subject } from './command.ts';
import { type ControlJournalDeps, createControlJournal } from './control-journal.ts';
import { type Job, Lease, type Refresh } from './lease.ts';
import type { OpenActuator } from './modbus-actuator.ts';
import type { Marker, ReleaseDeadlines } from './watchdog-messages.ts';

export type DeviceControlDeps = ControlJournalDeps & {
  openActuator: OpenActuator;
  onStatus(sn: string, command: Command, status: CommandStatus): void;
  log: Logger;
};

/** A device with its control profile. `parts` is not empty; `configured` holds facts that a person has set. */
export type Controllable = {
  control: ControlProfile;
  address: DeviceAddress;
  parts: readonly Part[];
  configured: Facts;
};

/** A device without new readings for this long is released. */
export const maxSilenceMs = 30_000;

/** A device that does not leave control on its own may be unreachable for as long as it may be silent. */
const refreshOf = ({ refreshMs, expiringParts = ['battery'], revertsAfterMs }: ControlProfile): Refresh | undefined =>
  refreshMs === undefined
    ? undefined
    : { parts: expiringParts, everyMs: refreshMs, lostAfterMs: revertsAfterMs ?? maxSilenceMs };

export type DeviceControl = ReturnType<typeof createDeviceControl>;

/** Releases a device that an earlier process left under control. Its commands are never resumed. */
export function releaseMarked(marker: Marker, control: ControlProfile, deps: DeviceControlDeps): DeviceControl {
  const { sn, place: address, parts } = marker;
  return createDeviceControl(sn, { control, address, parts, configured: {} }, deps, marker);
}

/** Carries out the jobs of one device's lease, one after the other. */
export function createDeviceControl(sn: string, target: Controllable, deps: DeviceControlDeps, marker?: Marker) {
  const { control } = target;
  const { monotonic, log } = deps;
  const { revertsAfterMs = Number.POSITIVE_INFINITY } = control;
  const session = createActuatorSession(control, target, deps);
  const journal = createControlJournal(sn, control.profile, deps);
  const rules = { paceMs: 1000, refresh: refreshOf(control) };
  const lease = new Lease(rules, (command, status) => deps.onStatus(sn, command, status));
  let { parts } = target;
  let batteryWrittenAt = Number.NEGATIVE_INFINITY; // on the monotonic clock
  let setpoints = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let fault: string | undefined;
  const failing = new Set<Part>(); // their last write failed
  let waiters: (() => void)[] = [];

  if (marker) {
    session.restoreFacts(marker.facts);
    journal.restore(marker);
    lease.forceRelease(marker.parts, 'An earlier process left the device under control.');
  }

  /** Taking control applies to the battery where there is one. */
  function partOf(subject: Subject): Part {
    if (subject !== 'take') return subject;
    const [first] = parts;
    if (!first) throw new Error(`${sn} has no part that can be controlled.`);
    return first;
  }

  const setpoint = (W: number, previousW: number): Setpoint => ({ W, previousW, count: setpoints });

  const setpointOf = (subject: Subject, power_w: number): Setpoint | undefined =>
    subject === 'take' ? undefined : setpoint(power_w, lease.held.get(subject)?.power_w ?? 0);

  /** Returns when each held part has to be back in its own mode. */
  const deadlines = (): ReleaseDeadlines =>
    Object.fromEntries(Array.from(lease.held, ([subject, { endsAt }]) => [partOf(subject), endsAt]));

  const closeLater = (): void => session.closeLater(() => !lease.isIdle);

  function wake(): void {
    if (isClosed) return;
    clearTimeout(timer);
    const now = monotonic.now();
    const next = lease.next(now);
    if (next && 'at' in next) timer = setTimeout(wake, Math.max(0, next.at - now)).unref();
    else if (next) void run(next);
    else if (lease.isIdle) {
      closeLater();
      for (const resolve of waiters) resolve();
      waiters = [];
    }
  }

  async function run(job: Job): Promise<void> {
    let failure: string | undefined;
    try {
      await perform(job);
    } catch (error) {
      const cause = asError(error);
      failure = cause.message;
      noteFailure(job, cause);
    }
    lease.finish(job, monotonic.now(), failure);
    wake();
  }

  async function perform(job: Job): Promise<void> {
    const actuator = await session.open();
    if (job.kind === 'release') return release(job.subjects, actuator);
    const facts = await session.facts();
    if (job.kind === 'apply') return apply(job.command, facts, actuator);
    const { subject, power_w } = job.command;
    await write(partOf(subject), setpoint(power_w, power_w), facts, deadlines(), actuator);
  }

  async function apply({ subject, power_w, endsAt }: Command, facts: Facts, actuator: Actuator): Promise<void> {
    const part = partOf(subject);
    const wanted = setpointOf(subject, power_w);
    await actuator.dryRun(part, wanted, facts); // so that the marker on disk always suffices for a release
    const until = { ...deadlines(), [part]: endsAt };
    await journal.begin(part, { address: session.address(), facts, endsAt }, until);
    if (monotonic.now() >= endsAt) throw new Error(expiredWhileQueued);
    await write(part, wanted, facts, until, actuator);
  }

  /** Writes a setpoint. Takes control first, and again when the device may have left control in the meantime. */
  async function write(
    part: Part,
    wanted: Setpoint | undefined,
    facts: Facts,
    until: ReleaseDeadlines,
    actuator: Actuator,
  ): Promise<void> {
    if (part === 'battery' && monotonic.now() - batteryWrittenAt >= revertsAfterMs) {
      await journal.noteRegisters(await actuator.take(facts), until);
    }
    if (wanted) {
      setpoints++;
      await journal.noteRegisters(await actuator.set(part, wanted, facts), until);
    }
    if (part === 'battery') batteryWrittenAt = monotonic.now();
    if (failing.delete(part)) log.info({ sn, part }, 'device controlled again');
  }

  async function release(subjects: readonly Subject[], actuator: Actuator): Promise<void> {
    const isAll = lease.held.size === 0;
    await releaseParts(journal.partsToRelease(subjects.map(partOf), isAll), actuator);
    if (isAll) {
      await journal.clear();
      session.forgetFacts();
    } else await journal.keep(deadlines());
    if (fault) log.info({ sn }, 'device released after earlier failures');
    fault = undefined;
  }

  async function releaseParts(due: readonly Part[], actuator: Actuator): Promise<void> {
    if (due.length === 0) return;
    const written = journal.marker();
    const facts = written ? session.completeFacts(written.facts) : await session.facts();
    await actuator.release(due, facts, written ?? { parts: [] });
    journal.noteReleased(due);
    if (due.includes('battery')) batteryWrittenAt = Number.NEGATIVE_INFINITY;
  }

  /** Logs a repeated failure once. */
  function noteFailure(job: Job, error: Error): void {
    session.drop();
    if (job.kind === 'release') {
      if (!fault) log.error({ err: error, sn, reason: job.reason }, releaseFailed);
      fault = error.message;
      return;
    }
    const part = partOf(job.command.subject);
    const isRepeated = job.kind === 'refresh' && failing.has(part);
    if (!isRepeated) log.warn({ err: error, sn, job: job.kind }, 'failed to control the device');
    failing.add(part);
  }

  return {
    sn,
    profile: control.profile,
    lease,
    partOf,
    wake,

    /** The error of the last release, while releasing fails. */
    get fault(): string | undefined {
      return fault;
    },

    update({ address, configured, ...changed }: Partial<Controllable> & { address: DeviceAddress }): void {
      session.moveTo({ address, configured });
      parts = changed.parts ?? parts;
    },

    /** Returns the values that limit a setpoint, read from the device the first time. */
    async facts(): Promise<Facts> {
      const facts = await session.facts();
      closeLater();
      return facts;
    },

    /** Throws a MissingFact when the device lacks the values needed to apply this setpoint and to release it. */
    async dryRun({ subject, power_w }: Pick<Command, 'subject' | 'power_w'>): Promise<void> {
      const actuator = await session.open();
      await actuator.dryRun(partOf(subject), setpointOf(subject, power_w), await session.facts());
    },

    /** Extends the lease of an unchanged setpoint of a plan without a write; returns whether it did. */
    async extend(subject: Subject, power_w: number, endsAt: number): Promise<boolean> {
      if (!lease.extend(subject, power_w, endsAt)) return false;
      await journal.extend(deadlines());
      wake();
      return true;
    },

    /** Resolves when the device is released. */
    idle: (): Promise<void> => (lease.isIdle ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),

    /** Stops at once, even if the device is still under control. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      session.close();
    },
  };
}

const openIdleMs = 30_000; // a caller that asked for the limits may send a command soon

/** Keeps the actuator of a device open while it is needed and for 30 s after, and caches the facts of the device. */
function createActuatorSession(
  control: ControlProfile,
  { address, configured }: Controllable,
  { openActuator, log }: DeviceControlDeps,
) {
  let actuator: Promise<Actuator> | undefined;
  let learned: Promise<Facts> | undefined; // from before anything was written to the device
  let idling: NodeJS.Timeout | undefined;

  async function open(): Promise<Actuator> {
    const last = actuator;
    const isLost = (await last?.catch(() => undefined))?.isLost;
    if (isLost && actuator === last) drop();
    actuator ??= openActuator(control, address);
    try {
      return await actuator;
    } catch (error) {
      actuator = undefined;
      throw error;
    }
  }

  /** Closes the actuator. The next call that needs one opens another. */
  function drop(): void {
    actuator
      ?.then((opened) => opened.close())
      .catch((error) => log.warn({ err: error }, 'failed to close the connection of an actuator'));
    actuator = undefined;
  }

  /** Makes the next command read the facts again, since the settings of the device may have changed. */
  function forgetFacts(): void {
    learned = undefined;
  }

  return {
    open,
    drop,
    forgetFacts,
    address: () => address,

    /** Closes the actuator when the address has changed. */
    moveTo(target: { address: DeviceAddress; configured?: Facts | undefined }): void {
      if (!isDeepStrictEqual(address, target.address)) drop();
      ({ address, configured = configured } = target);
    },

    /** Returns the facts of the device, read once. Configured facts take precedence. */
    async facts(): Promise<Facts> {
      const opened = await open();
      learned ??= opened.learn();
      const reading = learned;
      try {
        return { ...(await reading), ...configured };
      } catch (error) {
        if (learned === reading) forgetFacts();
        throw error;
      }
    },

    /** Uses facts read before an earlier process took control: the device cannot report them while it is controlled. */
    restoreFacts(facts: Facts): void {
      learned = Promise.resolve(facts);
    },

    /** Adds configured facts where the recorded ones have none. */
    completeFacts: (recorded: Facts): Facts => ({ ...configured, ...recorded }),

    closeLater(isNeeded: () => boolean): void {
      clearTimeout(idling);
      idling = setTimeout(() => {
        if (isNeeded()) return;
        drop();
        forgetFacts();
      }, openIdleMs).unref();
    },

    close(): void {
      clearTimeout(idling);
      drop();
    },
  };
}
