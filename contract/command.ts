import type { DerTypeId } from './der.ts';
import type { ControlKind } from './topics.ts';

export const defaultLeaseS = 300;
export const maxLeaseS = 3600;
export const maxCommandW = 1e7;

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
