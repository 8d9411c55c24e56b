import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import type { ControlKind } from '#contract/topics.ts';
import { type Clock, monotonicClock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { LinkError } from '../links/link-error.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import { ModbusException } from '../links/modbus/unit.ts';
import { MissingFact, type Part } from '../profiles/control/control-profile.ts';
import { type ControlProfile, findControl } from '../profiles/control/index.ts';
import { createCloudCommands } from './cloud-commands.ts';
import { type AskedCommand, type Command, futureMs, type Said, type Subject } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { DeviceControl, type DeviceControlDeps, quietMs } from './device-control.ts';
import {
  type ControlledDevice,
  checkPower,
  controlProfileOf,
  kindsOf,
  knownControlOf,
  knownOf,
  partsOf,
} from './limits.ts';
import { createMarkers } from './marker.ts';
import { createOpenHand } from './open-hand.ts';
import type { Place } from './place.ts';
import { createRefusals } from './refusals.ts';
import { createWatchdog, type Watchdog, type WatchdogDeps } from './watchdog.ts';

export type Ack = { command_id: string; status: Said['status']; message?: string; timestamp: number };

export type ControlDeps = {
  /** of this gateway, as it stands in the topics */
  serial: string;
  devices: { find(sn: string): ControlledDevice; list(): ControlledDevice[] };
  placeOf(device: ControlledDevice): Promise<Place>;
  buses: ModbusBuses;
  publishAck(topic: string, ack: Ack): void;
  dataDir: string;
  leaseS: number;
  clock: Clock;
  monotonic?: Clock;
  openWatchdog?(deps: WatchdogDeps): Watchdog;
  log: Logger;
};

export type Control = Awaited<ReturnType<typeof openControl>>;

const watchMs = 1000;
const letGoMs = 5000;

/** Control of the devices by leases: local requests and messages of the platform go through one queue for each device. */
export async function openControl(deps: ControlDeps) {
  const { devices, leaseS, clock, log, monotonic = monotonicClock, openWatchdog = createWatchdog } = deps;
  const folder = join(deps.dataDir, 'control');
  const markers = createMarkers(folder);
  const left = await markers.load();
  for (const file of left.damaged) log.error({ file }, 'a marker of control was damaged and is set aside');
  const commands = await openCommandLog(join(folder, 'commands.log'), clock, log);
  const watchdog = openWatchdog({
    folder,
    cacheFolder: join(deps.dataDir, 'cache'),
    onUnwatched: () => end([...controlled.values()], 'Nobody watches over control.'),
    monotonic,
    log,
  });
  const openHand = createOpenHand(deps.buses, clock);
  const shared: DeviceControlDeps = { openHand, markers, watchdog, say, clock, monotonic, log };
  const refusals = createRefusals(clock);
  const controlled = new Map<string, DeviceControl>();
  let watching: NodeJS.Timeout | undefined;

  async function meet(device: ControlledDevice, control: ControlProfile): Promise<DeviceControl> {
    const { sn } = device;
    const place = await reached(deps.placeOf(device));
    const found = { control, place, parts: partsOf(device, control), known: knownOf(device, control) };
    const known = knownAs(sn, control) ?? new DeviceControl(sn, found, shared);
    known.meet(found);
    controlled.set(sn, known);
    return known;
  }

  /** A device that was added again as another one is released as the former one first. */
  function knownAs(sn: string, { profile }: ControlProfile): DeviceControl | undefined {
    const known = controlled.get(sn);
    if (!known || known.profile === profile) return known;
    if (!known.lease.isIdle) {
      throw new Problem('device_unreachable', `${sn} is still to be released as a ${known.profile}; try again later.`);
    }
    known.close();
    return undefined;
  }

  function say(sn: string, command: Command, said: Said): void {
    const { id, subject, origin, ackTopic } = command;
    refusals.note(sn, command, said);
    log.info({ sn, subject, origin, command_id: id, ...said }, 'command moved on');
    if (id === undefined) return;
    commands.outcome(id, said).catch((error) => log.error({ err: error }, 'what became of a command was not kept'));
    if (ackTopic !== undefined) acknowledge(ackTopic, id, said);
  }

  function acknowledge(ackTopic: string, command_id: string, said: Said): void {
    deps.publishAck(ackTopic, { command_id, ...said, timestamp: clock.now() });
  }

  async function submit(device: ControlledDevice, { ttlMs, ...asked }: AskedCommand): Promise<Said> {
    const { sn } = device;
    const { id, subject } = asked;
    const command: Command = { ...asked, endsAt: monotonic.now() + ttlMs };
    const control = controlProfileOf(device, subject);
    if (!device.isConnected) throw new Problem('device_unreachable', `${sn} is not connected.`);
    const known = await meet(device, control);
    const part = known.partOf(subject);
    if (isSilent(device, part))
      throw new Problem('device_unreachable', `${sn} has told nothing new of its ${part} for long.`);
    const facts = await reached(known.facts());
    checkPower(device, control, asked, facts);
    await reached(known.rehearse(asked));

    const before = id === undefined ? undefined : commands.find(id);
    if (before) return before;
    const newest = commands.newest(sn, subject);
    await kept(commands.accept(sn, asked));
    const now = monotonic.now();
    const refusal = known.lease.offer(command, now, { newest, latest: clock.now() + futureMs });
    const said: Said = refusal
      ? { status: command.endsAt > now ? 'failed' : 'expired', message: refusal }
      : { status: 'queued' };
    say(sn, command, said);
    known.wake();
    return said;
  }

  /** What the platform commands later counts again; that it let go is known after a restart too. */
  async function releaseForCloud({ sn }: ControlledDevice, kind: ControlKind, issuedAt: number): Promise<void> {
    const known = controlled.get(sn);
    known?.lease.endCloud(kind, 'It was asked for.', issuedAt);
    known?.wake();
    await commands.accept(sn, { id: undefined, subject: kind, issuedAt });
  }

  function end(those: readonly DeviceControl[], reason: string, only?: Subject): void {
    for (const device of those) {
      device.lease.end(reason, clock.now(), only);
      device.wake();
    }
  }

  /** Control needs fresh data: what a device that is lost or silent holds is let go. */
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
        end([known], 'The device has told nothing new for too long.', subject);
      }
    }
    for (const device of connected.values()) follow(device);
  }

  /** What could not be released may be at another address now. */
  function follow(device: ControlledDevice): void {
    const { sn, profile } = device;
    const known = controlled.get(sn);
    if (!known?.fault || known.profile !== profile.profile) return;
    deps.placeOf(device).then(
      (place) => known.moveTo(place),
      (error) => log.debug({ err: error, sn }, 'where a device is could not be told'),
    );
  }

  async function letGo(reason: string, sn?: string): Promise<void> {
    const leaving = [...controlled.values()].filter((device) => sn === undefined || device.sn === sn);
    end(leaving, reason);
    const late = new AbortController();
    const wait = sleep(letGoMs, undefined, { signal: late.signal }).catch(() => {});
    await Promise.race([Promise.all(leaving.map((device) => device.idle())), wait]);
    late.abort();
  }

  return {
    /** First of all, what a process before left under control is released. */
    start(): void {
      for (const marker of left.markers) {
        const control = findControl(marker.profile);
        if (!control) {
          log.error({ sn: marker.sn, profile: marker.profile }, 'a device under control of an unknown profile');
          continue;
        }
        log.warn({ sn: marker.sn, since: marker.since }, 'a device was left under control and is released');
        const device = DeviceControl.leftBehind(marker, control, shared);
        controlled.set(marker.sn, device);
        device.wake();
      }
      watching = setInterval(watch, watchMs).unref();
    },

    /** A local command; throws a Problem when it is not possible. */
    async command(
      sn: string,
      subject: Subject,
      { power_w, ttl_s = leaseS, command_id: id }: { power_w: number; ttl_s?: number; command_id?: string },
    ): Promise<void> {
      const ttlMs = ttl_s * 1000;
      await submit(devices.find(sn), { subject, power_w, ttlMs, id, origin: 'local', issuedAt: clock.now() });
    },

    /** Notes that a person has checked that the device obeys. */
    async confirm(sn: string): Promise<{ sn: string; confirmed_at: number }> {
      const device = devices.find(sn);
      knownControlOf(device, 'take');
      const confirmed_at = await device.confirmControl(clock.now());
      log.info({ sn, confirmed_at }, 'control confirmed');
      return { sn, confirmed_at };
    },

    /** Lets go of one part or of everything. */
    async release(sn: string, only?: 'pv'): Promise<void> {
      const device = devices.find(sn);
      const control = controlProfileOf(device, only ?? 'take');
      if (!controlled.has(sn) && !device.isConnected) {
        throw new Problem('device_unreachable', `${sn} is not connected.`);
      }
      const known = await meet(device, control);
      known.lease.end('It was asked for.', clock.now(), only);
      known.lease.insist(only ? [only] : partsOf(device, control), 'It was asked for.');
      known.wake();
    },

    /** A message on a control topic. */
    onCommand: createCloudCommands({ ...deps, commands, submit, release: releaseForCloud, acknowledge }),

    /** Brings devices back to their own mode, and waits for that a while: before one is removed, and before the end. */
    letGo,

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

    async stop(): Promise<void> {
      await letGo('The gateway stops.');
      clearInterval(watching);
      for (const device of controlled.values()) device.close();
      await watchdog.close();
      await commands.close();
    },
  };
}

/** What it tells of another part says nothing of this one. */
const isSilent = (device: ControlledDevice, part: Part): boolean => device.silentMs(kindsOf[part]) > quietMs;

/** A device that does not answer is told as such, and so is one that does not tell what control needs. */
async function reached<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LinkError || error instanceof ModbusException) {
      throw new Problem('device_unreachable', error.message, {}, { cause: error });
    }
    if (error instanceof MissingFact) throw new Problem('not_implemented', error.message, {}, { cause: error });
    throw error;
  }
}

/** A command that cannot be remembered might be carried out twice. */
async function kept(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Problem(
      'storage_failed',
      'The command could not be kept, and was not carried out.',
      {},
      { cause: error },
    );
  }
}
