import type { DerTypeId } from './der.ts';

/** Power below this counts as idle: standby of an inverter, noise of a meter. */
export const idleW = 42;

const words = {
  solar: { in: 'using', out: 'generating', idle: 'not generating' },
  battery: { in: 'charging', out: 'discharging', idle: 'idle' },
  ev_charger_port: { in: 'charging', out: 'discharging', idle: 'idle' },
  meter: { in: 'importing', out: 'exporting', idle: 'in balance' },
  load: { in: 'using', out: 'giving back', idle: 'idle' },
} as const satisfies Record<DerTypeId, { in: string; out: string; idle: string }>;

type Words = (typeof words)[DerTypeId];
export type Direction = Words[keyof Words];

/** Names the direction of a power flow as in docs/glossary.md; signs follow docs/units-and-signs.md. */
export function directionOf(type: DerTypeId, watts: number): Direction {
  if (Math.abs(watts) < idleW) return words[type].idle;
  return words[type][watts > 0 ? 'in' : 'out'];
}
