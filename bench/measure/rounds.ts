/** Runs each contender once per round, in changing order, so that noise affects all of them. */
export async function inTurns<Name extends string, Sample>(
  rounds: number,
  contenders: Record<Name, () => Promise<Sample>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names) samples[name].push(await contenders[name]());
  }
  return samples;
}
