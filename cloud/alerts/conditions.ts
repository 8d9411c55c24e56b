import type { AlertRules } from '#contract/cloud/alerts.ts';
import { isCurrentAt, minuteMs } from '#contract/time.ts';
import { isOlder } from '../gateways/versions.ts';
import type { SilentDevice, VersionedGateway } from '../store/alerts.ts';
import type { Finding } from './raise.ts';
import type { Site } from './watched-sites.ts';

/** The result of a check: null if the condition is false, undefined if it is unknown, which leaves an open alert open. */
export type Found<Rule extends keyof AlertRules> = Finding<Rule> | null | undefined;

export type Reading = { at: number; values: Record<string, unknown> };

type Since = { now: number; startedAt: number };

/** Finds gateways without contact. The time before this process started does not count: it could not hear them. */
export function silentGateways(
  devices: readonly SilentDevice[],
  { minutes }: AlertRules['gateway_silent'],
  { now, startedAt }: Since,
): Found<'gateway_silent'> {
  const before = now - minutes * minuteMs;
  const silent = new Map<string, number>();
  for (const { serial, gateway_online, gateway_seen } of devices) {
    if (gateway_online === 1 || gateway_seen === null) continue; // one that never connected is not silent
    if (Math.max(gateway_seen, startedAt) <= before) silent.set(serial, gateway_seen);
  }
  if (silent.size === 0) return null;
  return { subjects: [...silent.keys()], facts: { since: Math.min(...silent.values()), count: silent.size } };
}

const settleMs = 3 * minuteMs; // devices of a gateway that is back have this time to send
const namesShown = 3;

/**
 * Finds devices without readings whose gateway has been connected for a while; `heardOf` holds since when each was
 * seen so.
 */
export function silentDevices(
  devices: readonly SilentDevice[],
  { minutes }: AlertRules['device_silent'],
  heardOf: ReadonlyMap<string, number>,
  now: number,
): Found<'device_silent'> {
  const quiet = devices.filter(
    ({ state, last_seen }) => state === 'active' && last_seen !== null && last_seen <= now - minutes * minuteMs,
  );
  const silent = quiet.filter(({ id }) => now - (heardOf.get(id) ?? now) >= settleMs);
  if (silent.length === 0) return quiet.length > 0 ? undefined : null;
  return {
    subjects: silent.map(({ id }) => id),
    facts: {
      names: silent.slice(0, namesShown).map(({ name }) => name),
      count: silent.length,
      since: Math.min(...silent.map(({ last_seen }) => last_seen ?? now)),
    },
  };
}

const phases = ['L1', 'L2', 'L3'] as const;
const nominalV = 230;
const backBelow = 0.9; // of the threshold, where the state ends

/** Finds the most loaded phase if its current, in either direction, is near the main fuse. */
export function nearFuse(
  { fuse_a, rules }: Pick<Site, 'fuse_a' | 'rules'>,
  reading: Reading | undefined,
  { now, isOpen }: { now: number; isOpen: boolean },
): Found<'near_fuse'> {
  if (fuse_a === null || !reading || !isCurrentAt(reading.at, now)) return undefined;
  const currents = phases.flatMap((phase) => {
    const amps = phaseCurrent(reading.values, phase);
    return amps === undefined ? [] : [{ phase, amps: Math.abs(amps) }];
  });
  const fullest = currents.sort((a, b) => b.amps - a.amps)[0];
  if (!fullest) return undefined;
  const limit = (fuse_a * rules.near_fuse.percent) / 100;
  if (fullest.amps < (isOpen ? limit * backBelow : limit)) return null;
  return { subjects: ['fuse'], facts: { ...fullest, fuse_a } };
}

/** Returns the measured current of a phase, or that of its power at the measured or nominal voltage. */
function phaseCurrent(values: Record<string, unknown>, phase: string): number | undefined {
  const amps = numberIn(values, `${phase}_A`);
  const watts = numberIn(values, `${phase}_W`);
  if (amps !== undefined || watts === undefined) return amps;
  return watts / (numberIn(values, `${phase}_V`) || nominalV);
}

export const numberIn = (values: Record<string, unknown>, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

const backAbovePercent = 5;

/** Finds batteries below a state of charge. Those of an open alert have to rise a little above it. */
export function lowBatteries(
  { batteries, rules }: Pick<Site, 'batteries' | 'rules'>,
  readingOf: (no: number) => Reading | undefined,
  { now, isOpen }: { now: number; isOpen: boolean },
): Found<'battery_below'> {
  const limit = rules.battery_below.percent + (isOpen ? backAbovePercent : 0);
  const known = batteries.flatMap(({ no, name }) => {
    const reading = readingOf(no);
    const soc = reading && isCurrentAt(reading.at, now) ? numberIn(reading.values, 'SoC_nom_fract') : undefined;
    return soc === undefined ? [] : [{ no, name, percent: soc * 100 }];
  });
  if (known.length === 0) return undefined;
  const low = known.filter(({ percent }) => percent < limit).sort((a, b) => a.percent - b.percent);
  const [lowest] = low;
  if (!lowest) return null;
  const { name, percent } = lowest;
  return { subjects: low.map(({ no }) => String(no)), facts: { name, percent } };
}

/** Finds gateways whose software is older than that of the platform. */
export function outdatedGateways(gateways: readonly VersionedGateway[], newest: string): Found<'update_available'> {
  const outdated = gateways
    .filter(({ version }) => isOlder(version, newest))
    .sort((a, b) => Number(isOlder(b.version, a.version)) - Number(isOlder(a.version, b.version)));
  const [oldest] = outdated;
  if (!oldest) return null;
  const subjects = outdated.map(({ serial }) => `${serial} ${newest}`);
  return { subjects, facts: { version: oldest.version, newest, count: outdated.length } };
}
