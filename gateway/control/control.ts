import { join } from 'node:path';
import { releaseRequested } from '#contract/command.ts';
import type { Status } from '#contract/gateway/status.ts';
import { orProblem, Problem } from '#contract/problem.ts';
import type { ControlKind } from '#contract/topics.ts';
import { type Clock, monotonicClock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { within } from '#lib/within.ts';
import { throwDeviceProblem } from '../devices/device-problem.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import type { Part } from '../profiles/control/control-profile.ts';
import { type ControlProfile, findControl } from '../profiles/control/index.ts';
import { createCloudCommands } from './cloud-commands.ts';
import { type Command, type CommandRequest, type CommandStatus, maxClockSkewMs, type Subject } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { createMarkers } from './control-journal.ts';
import {
  createDeviceControl,
  type DeviceControl,
  type DeviceControlDeps,
  maxSilenceMs,
  releaseMarked,
} from './device-control.ts';
import {
  type ControlledDevice,
  checkPower,
  clipPower,
  configuredFacts,
  controllableParts,
  derKindsOf,
  getConfirmedControlProfile,
  getControlProfile,
} from './limits.ts';
import { createOpenActuator } from './modbus-actuator.ts';
import { openPlanSetpoints } from './plan-setpoints.ts';
import { createWatchdog, type Watchdog, type WatchdogDeps } from './watchdog.ts';

export type Ack = { command_id: string; status: CommandStatus['status']; message?: string; timestamp: number };

export type ControlDeps = {
  serial: string;
  devices: { find(sn: string): ControlledDevice; list(): ControlledDevice[] };
  addressOf(device: ControlledDevice): Promise<DeviceAddress>;
  buses: ModbusBuses;
  publishAck(topic: string, ack: Ack): void;
  dataDir: string;
  leaseS: number;
  /** of setpoints of a plan, which are extended while it is followed */
  planLeaseMs?: number;
  clock: Clock;
  monotonic?: Clock;
  openWatchdog?(deps: WatchdogDeps): Watchdog;
  log: Logger;
};

export type Control = Awaited<ReturnType<typeof openControl>>;

const maxReleaseWaitMs = 5000;
const stops = 'The gateway stops.';
const notStored = 'The command could not be stored and was not carried out.';

/** Controls devices by leases. Local requests and messages from the platform share one queue for each device. */
export async function openControl(deps: ControlDeps) {
  const { devices, leaseS, clock, log, monotonic = monotonicClock, openWatchdog = createWatchdog } = deps;
  const folder = join(deps.dataDir, 'control');
  const markers = createMarkers(folder);
  const left = await markers.load();
  for (const file of left.damaged) log.error({ file }, 'a control marker was damaged and set aside');
  const commands = await openCommandLog(join(folder, 'commands.log'), clock, log);
  const plan = await openPlanSetpoints({
    find: (sn) => controlled.get(sn),
    submit: (sn, request) => submit(devices.find(sn), request),
    leaseMs: deps.planLeaseMs,
    dataDir: deps.dataDir,
    clock,
    monotonic,
    log,
  });
  const watchdog = openWatchdog({
    folder,
    cacheFolder: join(deps.dataDir, 'cache'),
    onUnwatched: () => endLeases([...controlled.values()], 'The watchdog does not run.'),
    monotonic,
    log,
  });
  const openActuator = createOpenActuator(deps.buses, clock);
  const shared: DeviceControlDeps = { openActuator, markers, watchdog, onStatus, clock, monotonic, log };
  const refusals = createRefusals(clock);
  const controlled = new Map<string, DeviceControl>();
  let watching: NodeJS.Timeout | undefined;
  let isStopping = false;

  /** Returns the control of a device, with its current address and configuration. */
  async function openDeviceControl(device: ControlledDevice, control: ControlProfile): Promise<DeviceControl> {
    const { sn } = device;
    const address = await deps.addressOf(device).catch(throwDeviceProblem);
    const parts = controllableParts(device, control);
    const target = { control, address, parts, configured: configuredFacts(device, control) };
    const known = findDeviceControl(sn, control) ?? createDeviceControl(sn, target, shared);
    known.update(target);
    controlled.set(sn, known);
    return known;
  }

  /** Throws while a device that was added again with another profile has not been released with the former one. */
  function findDeviceControl(sn: string, { profile }: ControlProfile): DeviceControl | undefined {
    const known = controlled.get(sn);
    if (!known || known.profile === profile) return known;
    if (!known.lease.isIdle) {
      throw new Problem('device_unreachable', `${sn} is still being released as a ${known.profile}; try again later.`);
    }
    known.close();
    return undefined;
  }

  function onStatus(sn: string, command: Command, status: CommandStatus): void {
    const { id, subject, origin, ackTopic } = command;
    refusals.note(sn, command, status);
    plan.note(sn, command, status);
    // A plan changes its setpoints every few seconds; the executor logs what it does.
    log[origin === 'plan' && status.status !== 'failed' ? 'debug' : 'info'](
      { sn, subject, origin, command_id: id, ...status },
      'command status changed',
    );
    if (id === undefined) return;
    commands.outcome(id, status).catch((error) => log.error({ err: error }, 'failed to store the status of a command'));
    if (ackTopic !== undefined) acknowledge(ackTopic, id, status);
  }

  function acknowledge(ackTopic: string, command_id: string, status: CommandStatus): void {
    deps.publishAck(ackTopic, { command_id, ...status, timestamp: clock.now() });
  }

  async function submit(device: ControlledDevice, { ttlMs, ...request }: CommandRequest): Promise<CommandStatus> {
    const { sn } = device;
    const { id, subject } = request;
    const command: Command = { ...request, endsAt: monotonic.now() + ttlMs };
    const isPlan = request.origin === 'plan';
    const control = getConfirmedControlProfile(device, subject);
    if (!device.isConnected) throw new Problem('device_unreachable', `${sn} is not connected.`);
    const known = await openDeviceControl(device, control);
    const part = known.partOf(subject);
    if (isSilent(device, part)) {
      const silence = `no new readings of its ${part} for ${maxSilenceMs / 1000} s`;
      throw new Problem('device_unreachable', `${sn} has sent ${silence}.`);
    }
    const facts = await known.facts().catch(throwDeviceProblem);
    if (isPlan) command.power_w = clipPower(device, control, command, facts);
    checkPower(device, control, command, facts);
    await known.dryRun(command).catch(throwDeviceProblem);

    const before = id === undefined ? undefined : commands.find(id);
    if (before) return before;
    const newest = commands.newest(sn, subject);
    // A command that is not stored might be carried out twice. A plan is carried out by this process only.
    if (!isPlan) await commands.accept(sn, request).catch(orProblem('storage_failed', notStored));
    const now = monotonic.now();
    // Devices are released once when the gateway stops; a setpoint after that would stay.
    const refusal = isStopping
      ? stops
      : known.lease.offer(command, now, { newest, latest: clock.now() + maxClockSkewMs });
    const status: CommandStatus = refusal
      ? { status: command.endsAt > now ? 'failed' : 'expired', message: refusal }
      : { status: 'queued' };
    onStatus(sn, command, status);
    known.wake();
    return status;
  }

  /** Releases what the platform commanded, and logs that, so that older commands stay refused after a restart. */
  async function releaseForCloud({ sn }: ControlledDevice, kind: ControlKind, issuedAt: number): Promise<void> {
    plan.pause(sn, kind);
    const known = controlled.get(sn);
    known?.lease.endCloud(kind, releaseRequested, issuedAt);
    known?.wake();
    await commands.accept(sn, { id: undefined, subject: kind, issuedAt });
  }

  function endLeases(ending: readonly DeviceControl[], reason: string, only?: Subject): void {
    for (const device of ending) {
      device.lease.end(reason, clock.now(), only);
      device.wake();
    }
  }

  /** Ends the leases of devices that are disconnected or silent, because control needs fresh readings. */
  function watch(): void {
    const connected = new Map(
      devices
        .list()
        .filter(({ isConnected }) => isConnected)
        .map((device) => [device.sn, device]),
    );
    for (const known of controlled.values()) {
      const device = connected.get(known.sn);
      for (const subject of known.lease.held.keys()) {
        if (device && !isSilent(device, known.partOf(subject))) continue;
        endLeases([known], 'The device has sent no new readings for too long.', subject);
      }
    }
    for (const device of connected.values()) followAddress(device);
  }

  /** Updates the address of a device that could not be released: it may have moved. */
  function followAddress(device: ControlledDevice): void {
    const { sn, profile } = device;
    const known = controlled.get(sn);
    if (!known?.fault || known.profile !== profile.profile) return;
    deps.addressOf(device).then(
      (address) => known.update({ address }),
      (error) => log.debug({ err: error, sn }, 'failed to resolve the address of a device'),
    );
  }

  async function releaseAndWait(reason: string, sn?: string): Promise<void> {
    plan.pause(sn);
    const leaving = [...controlled.values()].filter((device) => sn === undefined || device.sn === sn);
    endLeases(leaving, reason);
    await within(maxReleaseWaitMs, Promise.all(leaving.map((device) => device.idle())));
  }

  return {
    /** The setpoints of the plan that the gateway follows. */
    plan,

    /** Releases the devices that an earlier process left under control, then starts watching for silent devices. */
    start(): void {
      for (const marker of left.markers) {
        const { sn, profile, since } = marker;
        const control = findControl(profile);
        if (!control) {
          log.error({ sn, profile }, 'cannot release a device under control: unknown profile');
          continue;
        }
        log.warn({ sn, since }, 'releasing a device that was left under control');
        const device = releaseMarked(marker, control, shared);
        controlled.set(sn, device);
        device.wake();
      }
      watching = setInterval(watch, 1000).unref();
    },

    /** Queues a local command; throws a Problem when the device cannot carry it out. */
    async command(
      sn: string,
      subject: Subject,
      { power_w, ttl_s = leaseS, command_id: id }: { power_w: number; ttl_s?: number; command_id?: string },
    ): Promise<void> {
      const ttlMs = ttl_s * 1000;
      await submit(devices.find(sn), { subject, power_w, ttlMs, id, origin: 'local', issuedAt: clock.now() });
    },

    /** Records that a person has checked that the device obeys. */
    async confirm(sn: string): Promise<{ sn: string; confirmed_at: number }> {
      const device = devices.find(sn);
      getControlProfile(device, 'take');
      const confirmed_at = await device.confirmControl(clock.now());
      log.info({ sn, confirmed_at }, 'control confirmed');
      return { sn, confirmed_at };
    },

    /** Releases one part of a device, or all of it. */
    async release(sn: string, only?: 'pv'): Promise<void> {
      const device = devices.find(sn);
      const control = getConfirmedControlProfile(device, only ?? 'take');
      if (!controlled.has(sn) && !device.isConnected) {
        throw new Problem('device_unreachable', `${sn} is not connected.`);
      }
      plan.pause(sn, only);
      const known = await openDeviceControl(device, control);
      known.lease.end(releaseRequested, clock.now(), only);
      known.lease.forceRelease(only ? [only] : controllableParts(device, control), releaseRequested);
      known.wake();
    },

    onCommand: createCloudCommands({ ...deps, commands, submit, release: releaseForCloud, acknowledge }),

    /** Releases one device or all of them, and waits for that up to 5 s. */
    releaseAndWait,

    refused: refusals.list,

    status: () =>
      [...controlled.values()]
        .filter(({ lease }) => !lease.isIdle)
        .map(({ sn, lease, fault }) => ({
          sn,
          state: lease.isEnding ? ('releasing' as const) : ('held' as const),
          ...(fault && { fault }),
          held: [...lease.held.values()].map(({ subject, power_w, origin, endsAt }) => ({
            subject,
            power_w,
            origin,
            ends_in_s: Math.max(0, Math.round((endsAt - monotonic.now()) / 1000)),
          })),
        })),

    async close(): Promise<void> {
      isStopping = true;
      await releaseAndWait(stops);
      clearInterval(watching);
      for (const device of controlled.values()) device.close();
      await watchdog.close();
      await plan.close();
      await commands.close();
    },
  };
}

/** Checks the readings of this part only: those of another part prove nothing about it. */
const isSilent = (device: ControlledDevice, part: Part): boolean => device.silentMs(derKindsOf[part]) > maxSilenceMs;

/** Remembers the last local command of each device that failed, until the next local command. */
export function createRefusals(clock: Clock) {
  const bySn = new Map<string, Status['refused'][number]>();
  return {
    note(sn: string, { subject, power_w, origin }: Command, { status, message = '' }: CommandStatus): void {
      if (origin !== 'local' || status === 'released') return;
      if (status === 'failed') bySn.set(sn, { sn, subject, power_w, message, at: clock.now() });
      else bySn.delete(sn);
    },
    list: (): Status['refused'] => [...bySn.values()],
  };
}
