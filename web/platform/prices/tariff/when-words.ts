import type { Interval } from '#contract/price/eltariff.ts';
import { addDays } from '../../../chart/calendar.ts';
import { shortDay } from '../../../parts/format.ts';
import { texts } from '../../../parts/text.ts';
import { isEveryDay, isWholeDay, type When } from './charge-lines.ts';

const t = texts({
  en: {
    always: 'all hours',
    allDay: 'all day',
    everyDay: 'every day',
    weekdays: 'Monday to Friday',
    weekends: 'weekends',
    holidays: 'holidays',
    all: 'every day',
    on: '{hours}, {days}',
    except: '{days} except {others}',
    and: ' and ',
    days: '{from} to {to}',
    period: '{from} up to and including {to}',
  },
  sv: {
    always: 'alla timmar',
    allDay: 'hela dygnet',
    everyDay: 'alla dagar',
    weekdays: 'måndag till fredag',
    weekends: 'helger',
    holidays: 'helgdagar',
    all: 'alla dagar',
    on: '{hours}, {days}',
    except: '{days} utom {others}',
    and: ' och ',
    days: '{from} till {to}',
    period: '{from} till och med {to}',
  },
});

const known = ['weekdays', 'weekends', 'holidays', 'all'] as const;

/** The calendar of a tariff has its own words; these are the ones that all of them use. */
function daysWords(references: readonly string[]): string {
  const word = (reference: string): string => {
    const name = known.find((each) => each === reference);
    return name ? t(name) : reference;
  };
  return references.map(word).join(t('and'));
}

export function whenWords(when: When): string {
  const days = isEveryDay(when) ? t('everyDay') : daysWords(when.on);
  const hours = when.hours.map(({ from, to }) => `${from}–${to === '00:00' ? '24:00' : to}`).join(t('and'));
  return t('on', {
    hours: isWholeDay(when) ? t('allDay') : hours,
    days: when.except.length > 0 ? t('except', { days, others: daysWords(when.except) }) : days,
  });
}

export const allWhenWords = (when: readonly When[]): string =>
  when.length === 0 || when.some((each) => isWholeDay(each) && isEveryDay(each))
    ? t('always')
    : when.map(whenWords).join('; ');

const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** A season of a year: its first and its last day. */
export const seasonWords = ({ fromIncluding, toExcluding }: Interval): string =>
  t('days', { from: shortDay(noon(fromIncluding), 'UTC'), to: shortDay(noon(addDays(toExcluding, -1)), 'UTC') });

/** From the first to the last day, with their years. */
export const periodWords = ({ fromIncluding, toExcluding }: Interval): string =>
  t('period', { from: fromIncluding, to: addDays(toExcluding, -1) });
