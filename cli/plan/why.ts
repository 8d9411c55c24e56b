import type { PlanStep } from '#contract/plan.ts';

/** Returns the reason of a step. Where several storages act, it is that of each, with its name. */
export function whyOf(
  { storages, reason }: Pick<PlanStep, 'storages' | 'reason'>,
  nameOf: (id: string) => string,
): string {
  const acting = Object.entries(storages).filter(([, { reason: why }]) => why && !['hold', 'wait'].includes(why.code));
  return acting.length > 1
    ? acting.map(([id, { reason: why }]) => `${nameOf(id)}: ${why?.text}`).join(' ')
    : reason.text;
}
