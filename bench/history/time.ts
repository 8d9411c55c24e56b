const unmeasured = 5;

/** Milliseconds of each of so many runs, after a few that are not counted. */
export async function timesOf(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs + unmeasured; run++) {
    const began = performance.now();
    await work(run);
    times.push(performance.now() - began);
  }
  return times.slice(unmeasured);
}
