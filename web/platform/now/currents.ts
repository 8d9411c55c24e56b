import type { SiteReading } from '#contract/client/site-stream.ts';
import { isCurrentAt } from '#contract/time.ts';

const phases = ['L1', 'L2', 'L3'] as const;

type Phase = (typeof phases)[number];

/** The current of each phase that the meter tells of; undefined when nothing is known of now. */
export function currentsOf(grid: SiteReading | undefined, nowMs: number): { phase: Phase; amps: number }[] | undefined {
  if (!grid || !isCurrentAt(grid.timestamp, nowMs)) return undefined;
  return phases.flatMap((phase) => {
    const amps = ampsOf(grid, phase);
    return amps === undefined ? [] : [{ phase, amps }];
  });
}

/** As measured, or from power and voltage where the meter tells those. */
function ampsOf(grid: SiteReading, phase: Phase): number | undefined {
  const {
    [`${phase}_A`]: amps,
    [`${phase}_W`]: watts,
    [`${phase}_V`]: volts,
  } = grid as unknown as Record<string, number | undefined>;
  if (amps !== undefined) return Math.abs(amps);
  return watts !== undefined && volts ? Math.abs(watts / volts) : undefined;
}
