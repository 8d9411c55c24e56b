import { currencyNumber, plainNumber } from './number-formats.ts';
import { language, texts } from './text.ts';

const t = texts({
  en: { justNow: 'just now', none: '–' },
  sv: { justNow: 'just nu', none: '–' },
});

// The words follow the language of the page; numbers and times the country that the browser names for it.
const locale = (): string => navigator.languages.find((tag) => tag.startsWith(language.value)) ?? language.value;

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();

function once<F extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: (locale: string) => F,
): F {
  const name = `${locale()} ${key}`;
  const format = (formats.get(name) as F | undefined) ?? make(locale());
  formats.set(name, format);
  return format;
}

export const number = (value: number, digits = 0): string =>
  once(`n${digits}`, (l) => plainNumber(l, digits)).format(value);

const scaled = (value: number, unit: string): string => {
  const size = Math.abs(value);
  if (size >= 1e9) return `${number(value / 1e9, 2)} G${unit}`;
  if (size >= 1e6) return `${number(value / 1e6, 2)} M${unit}`;
  if (size >= 10_000) return `${number(value / 1000, 1)} k${unit}`;
  if (size >= 1000) return `${number(value / 1000, 2)} k${unit}`;
  return `${number(value)} ${unit}`;
};

/** The size of a power; its direction is said in words beside it. */
export const power = (watt: number | undefined): string =>
  watt === undefined ? t('none') : scaled(Math.abs(watt), 'W');

export const energy = (wattHours: number | undefined): string =>
  wattHours === undefined ? t('none') : scaled(wattHours, 'Wh');

export const percent = (fraction: number | undefined): string =>
  fraction === undefined ? t('none') : `${number(fraction * 100)} %`;

export const money = (amount: number, currency: string, digits = 2): string =>
  once(`m${currency}${digits}`, (l) => currencyNumber(l, currency, digits)).format(amount);

const dated =
  (key: string, options: Intl.DateTimeFormatOptions) =>
  (ms: number, timeZone?: string): string =>
    once(
      `${key}${timeZone ?? ''}`,
      (l) => new Intl.DateTimeFormat(l, { ...options, ...(timeZone && { timeZone }) }),
    ).format(ms);

export const timeOfDay = dated('t', { hour: '2-digit', minute: '2-digit' });
export const secondOfDay = dated('s', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const day = dated('d', { weekday: 'short', day: 'numeric', month: 'short' });
export const date = dated('date', { dateStyle: 'medium' });
export const dateAndTime = dated('dt', { dateStyle: 'medium', timeStyle: 'short' });
export const shortDay = dated('sd', { day: 'numeric', month: 'short' });
export const month = dated('m', { month: 'short' });
export const monthAndYear = dated('my', { month: 'long', year: 'numeric' });
export const year = dated('y', { year: 'numeric' });
export const fullDay = dated('fd', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** A span of time as dates, or with the times where it does not begin and end with a day. */
export function span(fromMs: number, toMs: number, timeZone?: string, hasTimes = false): string {
  const style: Intl.DateTimeFormatOptions = {
    dateStyle: 'medium',
    ...(hasTimes && { timeStyle: 'short' }),
    ...(timeZone && { timeZone }),
  };
  const key = `span${timeZone ?? ''}${hasTimes}`;
  return once(key, (l) => new Intl.DateTimeFormat(l, style)).formatRange(fromMs, hasTimes ? toMs : toMs - 1);
}

const steps: [limitS: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [Number.POSITIVE_INFINITY, 'day', 86_400],
];

/** How long ago, in words. */
export function ago(ms: number, nowMs: number): string {
  const seconds = Math.round((nowMs - ms) / 1000);
  if (Math.abs(seconds) < 2) return t('justNow');
  const [, unit, size] = steps.find(([limit]) => Math.abs(seconds) < limit)!;
  return once('r', (l) => new Intl.RelativeTimeFormat(l, { numeric: 'always', style: 'short' })).format(
    -Math.round(seconds / size),
    unit,
  );
}

/** 4:07, for a countdown. */
export function clockSpan(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const rest = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
}
