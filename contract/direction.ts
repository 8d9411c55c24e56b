import type { DerTypeId } from './der.ts';

/** Below it nothing flows that is worth a word or a motion: the standby of an inverter, the noise of a meter. */
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

/** Which way power flows, in a word of docs/glossary.md; the signs are those of docs/units-and-signs.md. */
export function directionOf(type: DerTypeId, watts: number): Direction {
  if (Math.abs(watts) < idleW) return words[type].idle;
  return words[type][watts > 0 ? 'in' : 'out'];
}
