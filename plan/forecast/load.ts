import { dayMs, hourMs } from '#contract/time.ts';
import { Distribution } from './distribution.ts';
import { daysBefore, endOf, type History, isWeekend, meanOver, type Span, weekdayAt } from './history.ts';

type LoadOptions = {
  timezone: string;
  /** outside temperature in °C, of the past and of the time to forecast */
  temperature?: History | undefined;
};

export type LoadForecast = (span: Span) => Distribution;

const learnedDays = 42;
const dailyDecay = 0.96; // a day counts this much less than the day after it
const otherKindOfDay = 0.08; // weight of a working day for a weekend, and the other way round
const sameWeekdayBonus = 1.5;
const levelShare = 0.8; // of a change of the daily mean that is expected to stay at first
const levelLifeMs = 36 * hourMs; // after which 1/e of the change of the level is left
const alikeHours = [1, 0.5, 0.5]; // weight of the last hours when days are compared, the latest first
const alikeShare = 0.9; // of the weights that similar days get at first
const alikeLifeMs = 6 * hourMs;
const leastWidthW = 200; // smaller differences between days are noise
const mostUnlike = 9;
const leastAlike = 0.01; // of the weights; with less, no day was similar
const unknownW = 500; // of a house without any history

/**
 * Returns a forecast of the load: its values at the same local time of recent days, changed as the daily mean has changed since.
 * The same kind of day counts first, and for the next hours the days whose last hours were similar: a sauna that was heated for
 * an hour is heated for a second one. With temperatures, differences of the heating are added.
 */
export function forecastLoad(history: History, { timezone, temperature }: LoadOptions): LoadForecast {
  const now = endOf(history);
  const slope = temperature ? wattsPerDegree(history, temperature, timezone) : 0;
  const raisedSince = levelChanges();
  const alikeness = weightsOfSimilarDays();

  /** Returns by how much the level of the last day is above that of as many days ago; NaN if that is not known. */
  function levelChanges(): (days: number) => number {
    const levels = Array.from({ length: learnedDays + 1 }, (_, days) => {
      const { start } = daysBefore({ start: now, end: now + 1 }, days, timezone);
      const day = { start: start - dayMs, end: start };
      const warmth = temperature ? meanOver(temperature, day) : 0;
      const mean = day.start < history.startMs ? Number.NaN : meanOver(history, day);
      const isFree = isWeekend(weekdayAt(timezone, start - dayMs / 2));
      return { value: mean - (Number.isNaN(warmth) ? 0 : slope * warmth), isFree };
    });
    const usual = (free: boolean): number => {
      const known = levels.filter(({ value, isFree }) => isFree === free && !Number.isNaN(value));
      return known.reduce((sum, { value }) => sum + value, 0) / known.length;
    };
    const [usualWorking, usualFree] = [usual(false), usual(true)];
    const deviations = levels.map(({ value, isFree }) => value - (isFree ? usualFree : usualWorking));
    return (days) => deviations[0]! - (deviations[days] ?? Number.NaN);
  }

  /** Returns the mean over a span so many days ago, as it would be with the level of today; NaN if it is not known. */
  function valueBefore(span: Span, days: number, levelKept: number): number {
    const before = daysBefore(span, days, timezone);
    if (before.start < history.startMs) return Number.NaN;
    const value = meanOver(history, before);
    const warmer = temperature ? meanOver(temperature, span) - meanOver(temperature, before) : Number.NaN;
    const heated = Number.isNaN(warmer) ? 0 : slope * warmer;
    const raised = raisedSince(days);
    return Math.max(0, value + heated + (Number.isNaN(raised) ? 0 : raised * levelKept));
  }

  /** Returns by number of days ago how much more than others a day counts because its last hours were like those of today. */
  function weightsOfSimilarDays(): Map<number, number> {
    const unlike = new Map<number, number>();
    for (const [n, weight] of alikeHours.entries()) {
      const span = { start: now - (n + 1) * hourMs, end: now - n * hourMs };
      const last = meanOver(history, span);
      const then = Array.from(
        { length: learnedDays },
        (_, i) => [i + 1, valueBefore(span, i + 1, levelShare)] as const,
      );
      const known = then.filter(([, value]) => !Number.isNaN(value - last));
      const mean = known.reduce((sum, [, value]) => sum + value, 0) / known.length;
      const spread = Math.sqrt(known.reduce((sum, [, value]) => sum + (value - mean) ** 2, 0) / known.length);
      for (const [days, value] of known) {
        const distance = Math.min(mostUnlike, ((value - last) / Math.max(leastWidthW, spread)) ** 2);
        unlike.set(days, (unlike.get(days) ?? 0) + weight * distance);
      }
    }
    let [alike, all] = [0, 0];
    for (const [days, distance] of unlike) {
      alike += Math.exp(-distance) * dailyDecay ** days;
      all += dailyDecay ** days;
    }
    if (!(alike > leastAlike * all)) return new Map();
    return new Map([...unlike].map(([days, distance]) => [days, (Math.exp(-distance) * all) / alike]));
  }

  const overall = meanOver(history, { start: history.startMs, end: now });
  return (span) => {
    const weekday = weekdayAt(timezone, span.start);
    const ahead = Math.max(0, span.start - now);
    const levelKept = levelShare * Math.exp(-ahead / levelLifeMs);
    const alikeKept = alikeShare * Math.exp(-ahead / alikeLifeMs);
    const cases: [value: number, weight: number][] = [];
    const first = Math.max(1, Math.ceil((span.end - now) / dayMs));
    for (let days = first; days < first + learnedDays; days++) {
      const value = valueBefore(span, days, levelKept);
      if (Number.isNaN(value)) continue;
      const other = weekdayAt(timezone, daysBefore(span, days, timezone).start);
      const kind = isWeekend(other) === isWeekend(weekday) ? 1 : otherKindOfDay;
      const alike = 1 + alikeKept * ((alikeness.get(days) ?? 1) - 1);
      cases.push([value, dailyDecay ** days * kind * alike * (other === weekday ? sameWeekdayBonus : 1)]);
    }
    if (cases.length > 0) return new Distribution(cases);
    return new Distribution([[Number.isNaN(overall) ? unknownW : overall, 1]]);
  };
}

const slopeDays = 28;

/** Learns by how much the load of a day differs per degree: heating makes it negative, cooling positive. */
function wattsPerDegree(history: History, temperature: History, timezone: string): number {
  const now = endOf(history);
  const days: [warmth: number, load: number][] = [];
  for (let day = 1; day <= slopeDays; day++) {
    const span = daysBefore({ start: now, end: now + dayMs }, day, timezone);
    const [warmth, load] = [meanOver(temperature, span), meanOver(history, span)];
    if (!Number.isNaN(warmth + load)) days.push([warmth, load]);
  }
  if (days.length < 5) return 0;
  const mean = (index: 0 | 1): number => days.reduce((sum, day) => sum + day[index], 0) / days.length;
  const [meanWarmth, meanLoad] = [mean(0), mean(1)];
  let [together, spread] = [0, 0];
  for (const [warmth, load] of days) {
    together += (warmth - meanWarmth) * (load - meanLoad);
    spread += (warmth - meanWarmth) ** 2;
  }
  return spread < days.length ? 0 : together / spread; // less than a degree of spread teaches nothing
}
