const toleratedMs = 2000; // the header counts seconds, and was on its way

/** How far the clock of a server is ahead of ours, by the header Date of its answer; what was believed stays while it fits. */
export function clockDifference(date: string | null, ourMs: number, believedMs: number): number {
  const told = Date.parse(date ?? '') - ourMs;
  if (Number.isNaN(told)) return believedMs;
  const counted = Math.abs(told) > toleratedMs ? told : 0;
  return Math.abs(counted - believedMs) > toleratedMs ? counted : believedMs;
}
