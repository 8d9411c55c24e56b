import type { DerTypeId } from './der.ts';
import type { ControlKind } from './topics.ts';

export const usualLeaseS = 300;
export const longestLeaseS = 3600;
export const mostCommandedW = 1e7;

/** Which of the gateway's control topics a DER listens to; other types take no commands. A vehicle is a battery on wheels. */
export const controlOf = {
  battery: 'battery',
  ev_charger_port: 'battery',
  solar: 'pv',
} as const satisfies Partial<Record<DerTypeId, ControlKind>>;

export type CommandedType = keyof typeof controlOf;

export const takesCommands = (type: DerTypeId): type is CommandedType => type in controlOf;
