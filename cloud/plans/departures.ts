import type { PlanGoals } from '#contract/cloud/plans.ts';
import type { PlanSentence } from '#contract/plan-sentences.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { addDays, dateAt, instantOf } from '#contract/time-zone.ts';
import type { PlanEdges } from './peak-fees.ts';

export type CarTimes = { edges: PlanEdges; timeZone: string; now: number };

type Departure = { at: number; step: number; target_pct: number };

const arrivalHour = 17; // of a car that is away, where nothing else is known
const likely = 0.5; // chance from which a car counts as connected

/** Lists the departures until the end of the plan, each with the last step that ends before it: the goals repeat every week. */
export function departuresIn(cars: PlanGoals['cars'], { edges, timeZone }: CarTimes): Departure[] {
  const [first, end] = [edges[0]!, edges.at(-1)!];
  const departures: Departure[] = [];
  for (let date = dateAt(timeZone, first); date <= dateAt(timeZone, end); date = addDays(date, 1)) {
    const weekday = new Date(date).getUTCDay() || 7;
    for (const { by, days, target_pct } of cars) {
      if (!days.includes(weekday)) continue;
      const at = instantOf(timeZone, Date.parse(`${date}T${by}:00Z`));
      const step = edges.findLastIndex((edge) => edge <= at) - 1;
      if (step >= 0 && at <= end) departures.push({ at, step, target_pct });
    }
  }
  return departures.sort((a, b) => a.at - b.at);
}

/**
 * Returns the steps in which a car can charge before each departure: from its arrival until each departure. It arrives when it was usually connected
 * in the last weeks, otherwise at 17:00.
 */
export function presenceOf(
  departures: readonly Departure[],
  isConnected: boolean,
  chances: readonly number[] | undefined,
  { edges, timeZone, now }: CarTimes,
) {
  const isLearned = chances?.some((chance) => chance >= likely) === true && !chances.some(Number.isNaN);
  const stays = departures.map(({ at }, n) => {
    const before = departures[n - 1]?.at;
    const since = before ?? now;
    const arrival = (isLearned && usualArrival(chances, edges, since)) || arrivalAfter(since, timeZone);
    const isHere = before === undefined && isConnected;
    return { from: isHere ? 0 : arrivesBefore(arrival, at, since), to: at };
  });
  const stepsOf = ({ from, to }: { from: number; to: number }): number[] =>
    edges.slice(0, -1).flatMap((start, n) => (from <= start && edges[n + 1]! <= to ? [n] : []));
  const isAssumed = !isConnected || departures.length > 1;
  const assumed: PlanSentence | undefined = isAssumed ? (isLearned ? 'car_learned' : 'car_assumed') : undefined;
  return { stays: stays.map(stepsOf), assumed };
}

/** Returns when a car is usually back: it may leave later than its departure, or not at all. Undefined if it stays away. */
function usualArrival(chances: readonly number[], edges: PlanEdges, since: number): number | undefined {
  const away = chances.findIndex((chance, t) => edges[t]! >= since && chance < likely);
  const isAwayToday = away >= 0 && edges[away]! - since < dayMs;
  if (!isAwayToday) return since;
  const back = chances.findIndex((chance, t) => t > away && chance >= likely);
  return edges[back];
}

function arrivalAfter(ms: number, timeZone: string): number {
  const on = (date: string): number => instantOf(timeZone, Date.parse(date) + arrivalHour * hourMs);
  const date = dateAt(timeZone, ms);
  return on(date) >= ms ? on(date) : on(addDays(date, 1));
}

/** A car that leaves again before the usual arrival is taken as connected half of the time between. */
const arrivesBefore = (arrival: number, departure: number, since: number): number =>
  arrival < departure ? arrival : (since + departure) / 2;
