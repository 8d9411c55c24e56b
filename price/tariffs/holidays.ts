import { dayMs } from '#contract/time.ts';

const swedishKinds = ['public_holidays', 'eves', 'maundy_thursday'] as const;

/** Kinds of days that tariffs may treat as non-working days; Swedish ones unless the name says otherwise. */
export const holidayKinds = [...swedishKinds, 'norwegian_holidays'] as const;
export type HolidayKind = (typeof holidayKinds)[number];

type Holiday = { date: string; name: string; kind: HolidayKind };

const saturday = 6;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns Easter Sunday (Meeus/Jones/Butcher algorithm). */
function easter(year: number): number {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * a + century - Math.floor(century / 4) - correction + 15) % 30;
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - moon - (ofCentury % 4)) % 7;
  const late = Math.floor((a + 11 * moon + 22 * sunday) / 451);
  const days = moon + sunday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}

const saturdayFrom = (ms: number): number => ms + ((saturday - new Date(ms).getUTCDay() + 7) % 7) * dayMs;

/** Lists the public holidays (law 1989:253), the eves that most tariffs also exempt, and Maundy Thursday. */
export function swedishHolidays(year: number): Holiday[] {
  const on = (month: number, day: number): number => Date.UTC(year, month - 1, day);
  const sunday = easter(year);
  const midsummer = saturdayFrom(on(6, 20));
  const days: [at: number, name: string, kind: HolidayKind][] = [
    [on(1, 1), 'Nyårsdagen', 'public_holidays'],
    [on(1, 6), 'Trettondedag jul', 'public_holidays'],
    [sunday - 3 * dayMs, 'Skärtorsdagen', 'maundy_thursday'],
    [sunday - 2 * dayMs, 'Långfredagen', 'public_holidays'],
    [sunday, 'Påskdagen', 'public_holidays'],
    [sunday + dayMs, 'Annandag påsk', 'public_holidays'],
    [on(5, 1), 'Första maj', 'public_holidays'],
    [sunday + 39 * dayMs, 'Kristi himmelsfärdsdag', 'public_holidays'],
    [sunday + 49 * dayMs, 'Pingstdagen', 'public_holidays'],
    year < 2005
      ? [sunday + 50 * dayMs, 'Annandag pingst', 'public_holidays']
      : [on(6, 6), 'Nationaldagen', 'public_holidays'],
    [midsummer - dayMs, 'Midsommarafton', 'eves'],
    [midsummer, 'Midsommardagen', 'public_holidays'],
    [saturdayFrom(on(10, 31)), 'Alla helgons dag', 'public_holidays'],
    [on(12, 24), 'Julafton', 'eves'],
    [on(12, 25), 'Juldagen', 'public_holidays'],
    [on(12, 26), 'Annandag jul', 'public_holidays'],
    [on(12, 31), 'Nyårsafton', 'eves'],
  ];
  return days.sort(([one], [other]) => one - other).map(([at, name, kind]) => ({ date: dateOf(at), name, kind }));
}

/** Lists the public holidays (lov om helligdager og helligdagsfred, 1 and 17 May). */
export function norwegianHolidays(year: number): Holiday[] {
  const on = (month: number, day: number): number => Date.UTC(year, month - 1, day);
  const sunday = easter(year);
  const days: [at: number, name: string][] = [
    [on(1, 1), 'Første nyttårsdag'],
    [sunday - 3 * dayMs, 'Skjærtorsdag'],
    [sunday - 2 * dayMs, 'Langfredag'],
    [sunday, 'Første påskedag'],
    [sunday + dayMs, 'Andre påskedag'],
    [on(5, 1), 'Arbeidernes dag'],
    [on(5, 17), 'Grunnlovsdagen'],
    [sunday + 39 * dayMs, 'Kristi himmelfartsdag'],
    [sunday + 49 * dayMs, 'Første pinsedag'],
    [sunday + 50 * dayMs, 'Andre pinsedag'],
    [on(12, 25), 'Første juledag'],
    [on(12, 26), 'Andre juledag'],
  ];
  return days
    .sort(([one], [other]) => one - other)
    .map(([at, name]) => ({ date: dateOf(at), name, kind: 'norwegian_holidays' }));
}

// Always on a weekend, which price lists treat separately.
const neverWorkingDays = [
  'Påskdagen',
  'Pingstdagen',
  'Midsommardagen',
  'Alla helgons dag',
  'Første påskedag',
  'Første pinsedag',
];

/** Lists the dates of these kinds that can fall on a working day. */
export const holidayDates = (year: number, kinds: readonly HolidayKind[]): string[] =>
  [...swedishHolidays(year), ...norwegianHolidays(year)]
    .filter(({ kind, name }) => kinds.includes(kind) && !neverWorkingDays.includes(name))
    .map(({ date }) => date);

const norwegianDay = '-05-17'; // not a holiday in Sweden

/** Returns the kinds of holidays among the dates; operators may leave out holidays on weekends. */
export const kindsAmong = (dates: readonly string[]): HolidayKind[] => {
  if (dates.some((date) => date.endsWith(norwegianDay))) return ['norwegian_holidays'];
  const years = [...new Set(dates.map((date) => Number(date.slice(0, 4))))];
  return swedishKinds.filter((kind) =>
    years.some((year) => holidayDates(year, [kind]).some((date) => dates.includes(date))),
  );
};
