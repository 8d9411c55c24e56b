import type { PeakPeriod } from './peaks.ts';

/**
 * A plan below limits of the mean peaks. Its cost includes all fees, the bound and its change per kW of each limit only those
 * without tiers.
 */
export type Attempt<Value> = {
  bound: number;
  slopes?: readonly number[] | undefined;
  found?: { value: Value; cost: number } | undefined;
};

/** No plan is cheaper than the bound. Without a plan, none is cheaper than the known cost. */
export type Cheapest<Value> = { best: { value: Value; cost: number } | undefined; bound: number };

type Choice = { tiers: number[]; limitsKw: number[]; fee: number; bound: number };

const maxChoices = 2000;
const maxAttempts = 24;
const leastSaving = 1e-7; // of the cost

/**
 * Finds the cheapest tiers of power charges. Without the fees, a plan below lower limits costs at least as much, and its cost is
 * convex in the limits. So each attempt is a bound for other choices, and few of them need to be tried: next always the one in
 * the middle of those that could be cheaper than the best and a known cost. An attempt that costs more than `below` without
 * fees needs no plan.
 */
export function cheapestTiers<Value>(
  periods: readonly PeakPeriod[],
  attempt: (limitsKw: readonly number[], below: number) => Attempt<Value> | 'infeasible' | 'late',
  knownCost = Number.POSITIVE_INFINITY,
): Cheapest<Value> | 'infeasible' | 'late' {
  let choices = choicesOf(periods);
  let best: { value: Value; cost: number } | undefined;
  let proven = Number.POSITIVE_INFINITY; // lowest bound of the choices that were tried
  for (let n = 0; n < maxAttempts; n++) {
    const cost = Math.min(best?.cost ?? Number.POSITIVE_INFINITY, knownCost);
    const worthKeeping = Number.isFinite(cost) ? cost - leastSaving * Math.abs(cost) : cost;
    const open = choices.filter(({ bound, fee }) => bound + fee < worthKeeping);
    const next = n === 0 ? open[0] : open.toSorted((a, b) => a.fee - b.fee)[Math.floor((open.length - 1) / 2)];
    if (!next) break;
    const tried = attempt(next.limitsKw, worthKeeping - next.fee);
    if (tried === 'late' || (tried === 'infeasible' && n === 0)) {
      if (!best) return tried;
      break;
    }
    choices = choices.filter((choice) => choice !== next);
    for (const choice of choices) choice.bound = Math.max(choice.bound, boundOf(choice, next, tried));
    if (tried === 'infeasible') continue;
    proven = Math.min(proven, tried.bound + next.fee);
    if (tried.found && tried.found.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = tried.found;
  }
  const cost = Math.min(best?.cost ?? Number.POSITIVE_INFINITY, knownCost);
  if (!Number.isFinite(cost)) return 'infeasible';
  const left = choices.map(({ bound, fee }) => bound + fee);
  return { best, bound: Math.min(cost, proven, ...left) };
}

/** Returns the least cost, without the fees of tiers, of a choice after another was tried. */
function boundOf({ tiers, limitsKw }: Choice, next: Choice, tried: Attempt<unknown> | 'infeasible'): number {
  const isLower = tiers.every((tier, i) => tier <= next.tiers[i]!);
  if (tried === 'infeasible') return isLower ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  if (!tried.slopes) return isLower ? tried.bound : Number.NEGATIVE_INFINITY;
  return tried.slopes.reduce(
    (bound, slope, i) => (slope < 0 ? bound + slope * (limitsKw[i]! - next.limitsKw[i]!) : bound),
    tried.bound,
  );
}

/** Returns all combinations of the tiers of periods, the one without limits first. */
function choicesOf(periods: readonly PeakPeriod[]): Choice[] {
  let choices: Choice[] = [{ tiers: [], limitsKw: [], fee: 0, bound: Number.NEGATIVE_INFINITY }];
  for (const { fee } of periods) {
    const tiers = (fee.tiers ?? []).map(({ up_to_kw, fee: amount }, n, { length }) => ({
      tier: n,
      limitKw: n === length - 1 ? Number.POSITIVE_INFINITY : up_to_kw,
      amount,
    }));
    // With very many combinations, the last periods have the tiers that follow from those of the others.
    const least = Math.min(...tiers.map(({ amount }) => amount));
    const used = choices.length * tiers.length > maxChoices ? [{ ...tiers.at(-1)!, amount: least }] : tiers;
    choices = used.toReversed().flatMap(({ tier, limitKw, amount }) =>
      choices.map((choice) => ({
        ...choice,
        tiers: [...choice.tiers, tier],
        limitsKw: [...choice.limitsKw, limitKw],
        fee: choice.fee + amount,
      })),
    );
  }
  return choices;
}
