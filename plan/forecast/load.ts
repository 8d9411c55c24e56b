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
const levelHours = 24; // over which the recent level is compared with the usual one
const levelLifeMs = 36 * hourMs; // after which 1/e of the deviation of the level is left
const hourLifeMs = 1.5 * hourMs; // the same of the deviation of the last hour
const hourShare = 0.2; // of the deviation of the last hour that the next step is expected to have
const maxLevelFactor = 1.8;
const unknownW = 500; // of a house without any history

/**
 * Returns a forecast of the load: its values at the same local time of recent days, the same kind of day first, scaled by how the
 * last day compares with that. With temperatures, differences of the heating are added.
 */
export function forecastLoad(history: History, { timezone, temperature }: LoadOptions): LoadForecast {
  const now = endOf(history);
  const slope = temperature ? wattsPerDegree(history, temperature, timezone) : 0;

  function usual(span: Span): [value: number, weight: number][] {
    const weekday = weekdayAt(timezone, span.start);
    const warmth = temperature ? meanOver(temperature, span) : Number.NaN;
    const cases: [number, number][] = [];
    const first = Math.max(1, Math.ceil((span.end - now) / dayMs));
    for (let days = first; days < first + learnedDays; days++) {
      const before = daysBefore(span, days, timezone);
      if (before.start < history.startMs) break;
      let value = meanOver(history, before);
      if (Number.isNaN(value)) continue;
      const warmthThen = temperature ? meanOver(temperature, before) : Number.NaN;
      if (!Number.isNaN(warmth - warmthThen)) value = Math.max(0, value + slope * (warmth - warmthThen));
      const other = weekdayAt(timezone, before.start);
      const kind = isWeekend(other) === isWeekend(weekday) ? 1 : otherKindOfDay;
      cases.push([value, dailyDecay ** days * kind * (other === weekday ? sameWeekdayBonus : 1)]);
    }
    return cases;
  }

  let [recent, expected] = [0, 0];
  for (let hour = 1; hour <= levelHours; hour++) {
    const span = { start: now - hour * hourMs, end: now - (hour - 1) * hourMs };
    const value = meanOver(history, span);
    const cases = usual(span);
    if (Number.isNaN(value) || cases.length === 0) continue;
    recent += value;
    expected += new Distribution(cases).mean;
  }
  const level = expected > 0 ? Math.min(maxLevelFactor, Math.max(1 / maxLevelFactor, recent / expected)) : 1;
  const lastHour = { start: now - hourMs, end: now };
  const casesOfLastHour = usual(lastHour);
  const deviation =
    casesOfLastHour.length > 0 ? meanOver(history, lastHour) - level * new Distribution(casesOfLastHour).mean : 0;

  const overall = meanOver(history, { start: history.startMs, end: now });
  return (span) => {
    const cases = usual(span);
    if (cases.length === 0) return new Distribution([[Number.isNaN(overall) ? unknownW : overall, 1]]);
    const ahead = Math.max(0, span.start - now);
    const factor = 1 + (level - 1) * Math.exp(-ahead / levelLifeMs);
    const shift = Number.isNaN(deviation) ? 0 : deviation * hourShare * Math.exp(-ahead / hourLifeMs);
    return new Distribution(cases.map(([value, weight]) => [Math.max(0, value * factor + shift), weight]));
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
