const hourS = 3600;
const maxGapMs = 30_000; // a longer time without readings counts as assumed
const minRemainingS = 60; // shortly before its end a window would allow or demand any power

type Windows = { window_s: number; utc_offset_s: number };

/** Integrates the import of the current window, aligned to local time, for the mean that a power charge counts. */
export function createPeakWindow() {
  let start = Number.NaN;
  let lastAt = Number.NaN;
  let imported_Ws = 0;

  return {
    /** Adds the import since the last call; `assumed_W` is the mean of the time in which nothing was measured. */
    add(now: number, grid_W: number, { window_s, utc_offset_s }: Windows, assumed_W: number): void {
      const offsetMs = utc_offset_s * 1000;
      const lengthMs = window_s * 1000;
      const current = Math.floor((now + offsetMs) / lengthMs) * lengthMs - offsetMs;
      const isKnown = start === current && lastAt <= now;
      const from = isKnown ? lastAt : current;
      const isContinuous = now - lastAt <= maxGapMs && lastAt <= now;
      if (!isKnown) imported_Ws = 0;
      imported_Ws += ((isContinuous ? Math.max(0, grid_W) : assumed_W) * (now - from)) / 1000;
      start = current;
      lastAt = now;
    },

    /** Returns the import that keeps the mean of this window at `peak_w` from now on; not below 0. */
    allowed_W(now: number, peak_w: number, { window_s }: Windows): number {
      const remainingS = Math.max(minRemainingS, window_s - (now - start) / 1000);
      return Math.max(0, (peak_w * window_s - imported_Ws) / remainingS);
    },

    imported_Wh: (): number => imported_Ws / hourS,
  };
}
