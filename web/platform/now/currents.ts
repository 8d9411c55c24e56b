import type { SiteReading } from '#contract/client/site-stream.ts';
import { isCurrentAt } from '#contract/time.ts';

const phases = ['L1', 'L2', 'L3'] as const;

type Phase = (typeof phases)[number];

/** Returns the current of each phase that the meter reports, or undefined without a recent reading. */
export function currentsOf(grid: SiteReading | undefined, nowMs: number): { phase: Phase; amps: number }[] | undefined {
  if (!grid || !isCurrentAt(grid.timestamp, nowMs)) return undefined;
  return phases.flatMap((phase) => {
    const amps = ampsOf(grid, phase);
    return amps === undefined ? [] : [{ phase, amps }];
  });
}

/** Returns the measured current, or calculates it from power and voltage. */
function ampsOf(grid: SiteReading, phase: Phase): number | undefined {
  const amps = grid[`${phase}_A`];
  const watts = grid[`${phase}_W`];
  const volts = grid[`${phase}_V`];
  if (amps !== undefined) return Math.abs(amps);
  return watts !== undefined && volts ? Math.abs(watts / volts) : undefined;
}
