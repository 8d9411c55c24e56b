import type { DerTypeId } from './der.ts';
import type { ControlKind } from './topics.ts';

export const defaultLeaseS = 300;
export const maxLeaseS = 3600;
export const maxCommandW = 1e7;

/** Reasons of a gateway for which the platform does not send a command again. */
export const releaseRequested = 'The release was requested.';
export const overriddenLocally = 'A local command overrides this command.';
export const heldLocally = 'A local command holds the device.';

type Ratings = { rated_power_W?: unknown; lower_limit_W?: unknown; upper_limit_W?: unknown };

/**
 * Returns the highest power that a device supports in the direction of a command, by its readings; undefined if it has reported
 * none. Chargers report limits per phase.
 */
export function maxPowerOf(reading: Ratings | null | undefined, isDischarge = false): number | undefined {
  const phases = isDischarge ? reading?.lower_limit_W : reading?.upper_limit_W;
  const ofPhases = Array.isArray(phases) ? phases.reduce<number>((sum, W) => sum + Math.abs(Number(W)), 0) : undefined;
  const known = [reading?.rated_power_W, ofPhases].filter((W) => typeof W === 'number' && W > 0) as number[];
  return known.length > 0 ? Math.round(Math.min(...known)) : undefined;
}

/** The control topic of each DER type that accepts commands; a car is controlled like a battery. */
export const controlOf = {
  battery: 'battery',
  ev_charger_port: 'battery',
  solar: 'pv',
} as const satisfies Partial<Record<DerTypeId, ControlKind>>;

export type CommandedType = keyof typeof controlOf;

export const takesCommands = (type: DerTypeId): type is CommandedType => type in controlOf;

export type CommandAction = 'charge' | 'discharge' | 'idle' | 'curtail';

/** Returns the power on the wire: positive charges, negative discharges, and for solar it is the maximum. */
export function commandPower(way: CommandAction, watts: number): number {
  if (way === 'idle') return 0;
  return way === 'discharge' ? 0 - watts : watts; // avoids -0
}

export function commandActionOf(type: DerTypeId, power_w: number): CommandAction {
  if (type === 'solar') return 'curtail';
  return power_w === 0 ? 'idle' : power_w > 0 ? 'charge' : 'discharge';
}
