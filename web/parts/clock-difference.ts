const toleranceMs = 2000; // the header has whole seconds and took time to arrive

/** Returns how far a server's clock is ahead, from the Date header of a response. Keeps the known value while it is close enough. */
export function clockDifference(date: string | null, browserMs: number, knownMs: number): number {
  const difference = Date.parse(date ?? '') - browserMs;
  if (Number.isNaN(difference)) return knownMs;
  const relevant = Math.abs(difference) > toleranceMs ? difference : 0;
  return Math.abs(relevant - knownMs) > toleranceMs ? relevant : knownMs;
}
