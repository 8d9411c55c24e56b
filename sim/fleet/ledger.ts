export type Sample = { der: string; at: number };

export type Verdict = {
  acknowledged: number;
  stored: number;
  lost: number;
  twice: number;
  /** stored, and never meant */
  phantom: number;
  /** stored behind a later one */
  reordered: number;
};

/** The times of the readings that a platform has, by DER. */
export type Stored = ReadonlyMap<string, readonly number[]>;

/** What was meant, what was acknowledged, and, compared with what is stored, what that was worth. */
export function createLedger() {
  const readings = new Map<string, Map<number, boolean>>(); // by DER and time: whether it was acknowledged
  let acknowledged = 0;

  function note({ der, at }: Sample, isAcknowledged: boolean): void {
    const times = readings.get(der) ?? new Map<number, boolean>();
    if (times.size === 0) readings.set(der, times);
    if (isAcknowledged && !times.get(at)) acknowledged++;
    times.set(at, isAcknowledged);
  }

  return {
    intend: (sample: Sample) => note(sample, false),
    acknowledge: (sample: Sample) => note(sample, true),
    acknowledged: () => acknowledged,
    /** The times of what was meant, by DER, in the order it was meant. */
    intended: (): Stored => new Map([...readings].map(([der, times]) => [der, [...times.keys()]])),
    check(stored: Stored): Verdict {
      const verdict = { acknowledged, stored: 0, lost: acknowledged, twice: 0, phantom: 0, reordered: 0 };
      for (const [der, times] of stored) {
        const found = new Set(times);
        verdict.stored += times.length;
        verdict.twice += times.length - found.size;
        verdict.reordered += times.filter((at, index) => at < times[index - 1]!).length;
        for (const at of found) {
          const isAcknowledged = readings.get(der)?.get(at);
          if (isAcknowledged) verdict.lost--;
          if (isAcknowledged === undefined) verdict.phantom++;
        }
      }
      return verdict;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;

/** Nothing that was acknowledged is missing, and nothing is there that should not be. */
export const isClean = ({ lost, twice, phantom, reordered }: Verdict): boolean =>
  lost + twice + phantom + reordered === 0;
