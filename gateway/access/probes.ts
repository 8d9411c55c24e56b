import { maxParallelProbes } from '#contract/gateway/form.ts';
import { Problem } from '#contract/problem.ts';

export type Probes = { run<Result>(probe: () => Promise<Result>): Promise<Result> };

/** Limits how many probes of the local network run at once. The door limits how many start in a minute. */
export function createProbes(): Probes {
  let running = 0;

  return {
    async run(probe) {
      if (running >= maxParallelProbes) {
        throw new Problem('rate_limited', `At most ${maxParallelProbes} probes run at once.`, { retryAfterSeconds: 1 });
      }
      running += 1;
      try {
        return await probe();
      } finally {
        running -= 1;
      }
    },
  };
}
