import type { DerTypeId } from './der.ts';
import type { ControlKind } from './topics.ts';

export const defaultLeaseS = 300;
export const maxLeaseS = 3600;
export const maxCommandW = 1e7;

/** Which of the gateway's control topics a DER listens to; other types take no commands. A car is a battery on wheels. */
export const controlOf = {
  battery: 'battery',
  ev_charger_port: 'battery',
  solar: 'pv',
} as const satisfies Partial<Record<DerTypeId, ControlKind>>;

export type CommandedType = keyof typeof controlOf;

export const takesCommands = (type: DerTypeId): type is CommandedType => type in controlOf;

/** What a DER can be told, in a word of docs/glossary.md. */
export type CommandAction = 'charge' | 'discharge' | 'idle' | 'curtail';

/** The power of the wire: positive charges, negative discharges, and of solar power it is the most. */
export function commandPower(way: CommandAction, watts: number): number {
  if (way === 'idle') return 0;
  return way === 'discharge' ? 0 - watts : watts; // and not -watts, which would make -0 of nothing
}

/** The same backwards. */
export function commandActionOf(type: DerTypeId, power_w: number): CommandAction {
  if (type === 'solar') return 'curtail';
  return power_w === 0 ? 'idle' : power_w > 0 ? 'charge' : 'discharge';
}
