import { join } from 'node:path';
import { planMessage } from '#contract/gateway-plan.ts';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Part } from '../profiles/control/control-profile.ts';
import type { Command, CommandRequest, CommandStatus, Subject } from './command.ts';
import type { DeviceControl } from './device-control.ts';

export type PlanSetpointsDeps = {
  find(sn: string): DeviceControl | undefined;
  submit(sn: string, request: CommandRequest): Promise<CommandStatus>;
  leaseMs?: number | undefined;
  dataDir: string;
  clock: Clock;
  monotonic: Clock;
  log: Logger;
};

export type PlanSetpoints = Awaited<ReturnType<typeof openPlanSetpoints>>;

const usualLeaseMs = 90_000;
const extendAfter_fract = 1 / 3; // of the lease
const rewriteMs = 600_000; // a device that has restarted may have lost its setpoint
const retryMs = 30_000;
const pauseMs = hourMs;

/** `power_w` is the one that was asked for: the device may get less. */
type Held = { power_w: number; writtenAt: number; endsAt: number };

/** Holds devices at the setpoints of a plan by short leases, which end by themselves if the gateway stops extending them. */
export async function openPlanSetpoints(deps: PlanSetpointsDeps) {
  const { find, submit, leaseMs = usualLeaseMs, dataDir, clock, monotonic, log } = deps;
  const pausesFile = join(dataDir, 'plan-pauses.json');
  const held = new Map<string, Held>();
  const busy = new Set<string>();
  const failures = new Map<string, { message: string; until: number }>();
  const paused = new Map<string, number>(); // until when; of a part, of a device or, as '', of all
  const stored = await readJsonOrWarn<Record<string, number>>(pausesFile, 'the pauses of the plan were damaged', log);
  let storing = Promise.resolve();
  for (const [key, until] of Object.entries(stored ?? {}))
    paused.set(key, monotonic.now() + Math.min(pauseMs, until - clock.now()));

  /** Stores the pauses of devices for the next start; those of all devices are only for the end of this one. */
  function store(): void {
    const now = monotonic.now();
    const left = [...paused].filter(([key, until]) => key !== '' && until > now);
    const pauses = Object.fromEntries(left.map(([key, until]) => [key, clock.now() + until - now]));
    storing = writeJson(pausesFile, pauses).catch((err: unknown) =>
      log.warn({ err }, 'failed to store that the plan is paused; it may continue when the gateway restarts'),
    );
  }

  const keyOf = (sn: string, part: Subject): string => `${part} ${sn}`;

  function isPaused(sn: string, part: Part): boolean {
    const now = monotonic.now();
    return ['', sn, keyOf(sn, part)].some((key) => (paused.get(key) ?? 0) > now);
  }

  async function write(sn: string, part: Part, power_w: number): Promise<void> {
    const key = keyOf(sn, part);
    const now = monotonic.now();
    const last = held.get(key);
    const endsAt = now + leaseMs;
    if (last?.power_w === power_w && find(sn)?.lease.held.get(part)?.origin === 'plan') {
      if (endsAt - last.endsAt < extendAfter_fract * leaseMs) return;
      const current = find(sn)?.lease.held.get(part)?.power_w ?? power_w;
      if (now - last.writtenAt < rewriteMs && (await find(sn)?.extend(part, current, endsAt))) {
        held.set(key, { ...last, endsAt });
        return;
      }
    }
    const request = {
      subject: part,
      power_w,
      ttlMs: leaseMs,
      id: undefined,
      origin: 'plan',
      issuedAt: clock.now(),
    } as const;
    const { status } = await submit(sn, request);
    if (status === 'queued') held.set(key, { power_w, writtenAt: now, endsAt });
  }

  return {
    /** Whether the plan may control the part: no person commands it, or has returned it to automatic within the last hour. */
    isFree: (sn: string, part: Part): boolean => !isPaused(sn, part) && !find(sn)?.lease.isCommanded(part),

    /** Keeps the plan away from a part, a device or all devices for an hour: a person returned them to automatic, or the gateway stops. */
    pause(sn = '', part?: Subject): void {
      paused.set(part && part !== 'take' ? keyOf(sn, part) : sn, monotonic.now() + pauseMs);
      if (sn !== '') store();
    },
    /** Lets the plan control all devices again, because a person wants that. */
    resume(): void {
      paused.clear();
      store();
    },

    /** Sets or extends a setpoint in the background; call it every second. */
    hold(sn: string, part: Part, power_w: number): void {
      const key = keyOf(sn, part);
      if (busy.has(key) || (failures.get(key)?.until ?? 0) > monotonic.now()) return;
      busy.add(key);
      write(sn, part, power_w)
        .then(() => failures.delete(key))
        .catch((error: unknown) => {
          if (!(error instanceof Problem)) log.error({ err: error, sn, part }, 'failed to carry out the plan');
          failures.set(key, { message: messageOf(error, sn), until: monotonic.now() + retryMs });
        })
        .finally(() => busy.delete(key));
    },

    /** Returns every part to automatic that the plan holds and that is not among these. */
    keepOnly(kept: readonly { sn: string; part: Part }[], reason: string): void {
      const keys = new Set(kept.map(({ sn, part }) => keyOf(sn, part)));
      for (const key of held.keys()) {
        if (keys.has(key)) continue;
        const [part, sn] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
        held.delete(key);
        const device = find(sn);
        const subject = part === 'pv' ? 'pv' : 'battery';
        if (!device || device.lease.isCommanded(subject)) continue; // the command of the person replaces the setpoint
        device.lease.endPlan(subject, reason);
        device.wake();
      }
    },

    /** Takes the status of a command: a setpoint that could not be written is tried again later. */
    note(sn: string, { subject, origin }: Command, { status, message = '' }: CommandStatus): void {
      if (origin !== 'plan' || status !== 'failed') return;
      failures.set(keyOf(sn, subject), { message, until: monotonic.now() + retryMs });
    },

    close: () => storing,

    /** Returns why a device does not follow. */
    failure: (): string | undefined => [...failures.values()].find(({ until }) => until > monotonic.now())?.message,
  };
}

function messageOf(error: unknown, sn: string): string {
  if (!(error instanceof Problem)) return planMessage('uncontrollable', [sn]);
  if (error.code !== 'control_unconfirmed') return error.message;
  return planMessage('unconfirmed', [sn]);
}
