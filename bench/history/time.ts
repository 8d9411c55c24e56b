const unmeasured = 5;

/** Returns the milliseconds of each run, after a few warm-up runs. */
export async function timesOf(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs + unmeasured; run++) {
    const began = performance.now();
    await work(run);
    times.push(performance.now() - began);
  }
  return times.slice(unmeasured);
}
