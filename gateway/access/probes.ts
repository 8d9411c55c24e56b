import { maxParallelProbes } from '#contract/gateway/form.ts';
import { Problem } from '#contract/problem.ts';

export type Probes = ReturnType<typeof createProbes>;

/** Limits how many probes of the local network run at once. The door limits how many start in a minute. */
export function createProbes() {
  let running = 0;

  return {
    async run<Result>(probe: () => Promise<Result>): Promise<Result> {
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
