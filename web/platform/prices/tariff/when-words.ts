import type { Interval } from '#contract/price/interval.ts';
import { addDays } from '../../../chart/calendar.ts';
import { date, shortDay, texts } from '../../../parts/text.ts';
import { type ActiveHours, isEveryDay, isWholeDay } from './charge-lines.ts';

const t = texts({
  always: 'at all hours',
  allDay: 'all day',
  on: '{hours}, {days}',
  except: '{days} except {others}',
  and: ' and ',
  days: '{from}–{to}',
  period: '{from} to {to}',
});

/** Tariffs may define day names of their own; these are the common ones. */
const dayTexts = texts({
  weekdays: 'Monday–Friday',
  weekends: 'weekends',
  holidays: 'holidays',
  all: 'every day',
});

const daysWords = (references: readonly string[]): string => references.map(dayTexts.orName).join(t('and'));

export function whenWords(when: ActiveHours): string {
  const days = isEveryDay(when) ? dayTexts('all') : daysWords(when.on);
  const hours = when.hours.map(({ from, to }) => `${from}–${to === '00:00' ? '24:00' : to}`).join(t('and'));
  return t('on', {
    hours: isWholeDay(when) ? t('allDay') : hours,
    days: when.except.length > 0 ? t('except', { days, others: daysWords(when.except) }) : days,
  });
}

export const allWhenWords = (when: readonly ActiveHours[]): string =>
  when.length === 0 || when.some((each) => isWholeDay(each) && isEveryDay(each))
    ? t('always')
    : when.map(whenWords).join('; ');

const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);

export const seasonWords = ({ fromIncluding, toExcluding }: Interval): string =>
  t('days', { from: shortDay(noon(fromIncluding), 'UTC'), to: shortDay(noon(addDays(toExcluding, -1)), 'UTC') });

export const periodWords = ({ fromIncluding, toExcluding }: Interval): string =>
  t('period', { from: date(noon(fromIncluding), 'UTC'), to: date(noon(addDays(toExcluding, -1)), 'UTC') });
