import { type Resolution, resolutions } from '#contract/price/electricity.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { type Area, findArea, nameAsAsked } from './areas.ts';
import { addDays, isDate, marketDateAt } from './market-day.ts';

/** What somebody wants to know. */
export type Question = {
  area: Area;
  /** SE, where SE3 is meant */
  name: string;
  dates: string[];
  /** today and tomorrow, whatever the date */
  isCurrent: boolean;
  resolution: Resolution;
  currency: string;
};

export type QuestionText = {
  date?: string | undefined;
  days?: string | undefined;
  resolution?: string | undefined;
  currency?: string | undefined;
};

export const mostDays = 31;

/** Reads a question from the words of its address; a wrong one is a Problem. */
export function readQuestion(areaText: string, text: QuestionText, now: number): Question {
  const area = findArea(areaText);
  if (!area) throw new Problem('not_found', `The area ${areaText.slice(0, 40)} is not supported.`);
  const { date, days, resolution = 'PT60M', currency = 'EUR' } = text;
  if (date !== undefined && !isDate(date)) throw wrong('date', 'must be a date of the calendar, as in 2026-03-29');
  if (days !== undefined && !(/^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= mostDays))
    throw wrong('days', `must be a whole number from 1 to ${mostDays}`);
  if (!isResolution(resolution)) throw wrong('resolution', `must be ${resolutions.join(' or ')}`);
  if (!/^[A-Za-z]{3}$/.test(currency)) throw wrong('currency', 'must be a code of three letters, as in SEK');

  const isCurrent = date === undefined && days === undefined;
  const first = date ?? marketDateAt(area, now);
  const count = isCurrent ? 2 : Number(days ?? 1);
  return {
    area,
    name: nameAsAsked(areaText, area),
    dates: Array.from({ length: count }, (_, n) => addDays(first, n)),
    isCurrent,
    resolution,
    currency: currency.toUpperCase(),
  };
}

const isResolution = (text: string): text is Resolution => (resolutions as readonly string[]).includes(text);

const wrong = (name: string, message: string): Problem => fieldProblem('unprocessable', `query.${name}`, message);
