export type Sample = { der: string; at: number };

export type Verdict = { acknowledged: number; stored: number; lost: number; twice: number; phantom: number };

/** What was meant, what was acknowledged, and, compared with what is stored, what that was worth. */
export function createLedger() {
  const intended = new Set<string>();
  const acknowledged = new Set<string>();
  const keyOf = ({ der, at }: Sample): string => `${der} ${at}`;
  return {
    intend: (sample: Sample) => intended.add(keyOf(sample)),
    acknowledge: (sample: Sample) => acknowledged.add(keyOf(sample)),
    acknowledged: () => acknowledged.size,
    check(stored: readonly Sample[]): Verdict {
      const found = new Set(stored.map(keyOf));
      return {
        acknowledged: acknowledged.size,
        stored: stored.length,
        lost: [...acknowledged].filter((key) => !found.has(key)).length,
        twice: stored.length - found.size,
        phantom: [...found].filter((key) => !intended.has(key)).length,
      };
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
