import { type ReadonlySignal, signal } from '@preact/signals';
import { readStored, store } from './storage.ts';
import { type Word, words } from './words.ts';

export const languages = ['en', 'sv'] as const;
export type Language = (typeof languages)[number];

type Catalogue = Readonly<Record<string, string>>;
type LoadPart = () => Promise<{ default: Catalogue }>;
type LanguageDetails = { name: string; locale: string; first: LoadPart; rest: LoadPart };

const noTexts: LoadPart = async () => ({ default: {} });

// The language of the page alone decides how numbers and dates look: British English or Swedish.
// A tag of the browser would mix them: an English page in Sweden ("en-SE") would show 1,70 kW.
const details: Record<Language, LanguageDetails> = {
  en: { name: 'English', locale: 'en-GB', first: noTexts, rest: noTexts },
  sv: {
    name: 'Svenska',
    locale: 'sv-SE',
    first: () => import('../languages/sv.json?first', { with: { type: 'json' } }),
    rest: () => import('../languages/sv.json?rest', { with: { type: 'json' } }),
  },
};

/** Returns the name of a language in that language. */
export const languageName = (tag: Language): string => details[tag].name;

export const decimalSeparator = (tag: Language): string => (0.5).toLocaleString(details[tag].locale).charAt(1);

const shown = signal<Language>('en');
let catalogue: Catalogue = {}; // of the shown language; English texts are in the code
let needsAll = false; // whether a page other than the home page was opened

/** The language of the pages, whose catalogue is loaded. */
export const language: ReadonlySignal<Language> = shown;

async function show(tag: Language): Promise<void> {
  const { first, rest } = details[tag];
  const parts = await Promise.all([first(), ...(needsAll ? [rest()] : [])]);
  catalogue = Object.assign({}, ...parts.map((part) => part.default));
  shown.value = tag;
}

/** Loads the texts of all pages, in the shown language and in those chosen later. The home page has its texts without it. */
export async function loadAllTexts(): Promise<void> {
  needsAll = true;
  const tag = shown.peek();
  const { default: rest } = await details[tag].rest();
  if (shown.peek() === tag) catalogue = { ...catalogue, ...rest };
}

const isLanguage = (tag: string | undefined): tag is Language => languages.some((known) => known === tag);

/** Shows the stored choice, or the first browser language that the pages have; English if its catalogue is not loaded. */
export function showPreferredLanguage(): Promise<void> {
  const preferred = [readStored('language'), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return show(preferred.find(isLanguage) ?? 'en').catch(() => undefined);
}

/** Shows a language from now on, once its catalogue is loaded. */
export async function setLanguage(tag: Language): Promise<void> {
  await show(tag);
  store('language', tag);
}

/** Returns an English text in the current language. A context such as `theme|` tells equal English texts apart. */
export const translated = (text: string): string =>
  (shown.value === 'en' ? undefined : catalogue[text]) ?? text.replace(/^[a-z]+\|/, '');

/** Returns a text for use within a sentence; abbreviations such as VAT stay in capitals. */
export const inSentence = (text: string): string =>
  text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** Returns a lookup of these English texts and the shared words in the current language; `{name}` is replaced by a value. */
export function texts<Key extends string>(table: Readonly<Record<Key, string>>) {
  const has = (name: string): name is Key => Object.hasOwn(table, name);
  const textOf = (key: Key | Word, values?: Record<string, string | number>): string => {
    const text = translated(has(key) ? table[key] : words[key]);
    return values ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')) : text;
  };
  /** Returns the text of a name that may be unknown, or the name itself. */
  const orName = (name: string): string => (has(name) ? textOf(name) : name);
  /** Returns the label of a field and its hint, whose name has the suffix Says. */
  const field = (key: { [K in Key | Word]: `${K}Says` extends Key ? K : never }[Key | Word]) => ({
    label: textOf(key),
    says: orName(`${key}Says`),
  });
  return Object.assign(textOf, { has, orName, field });
}

const t = texts({
  justNow: 'just now',
});

const notAvailable = '–';

/** Creates each format once for each locale and set of options: constructing one takes far longer than using it. */
function cached<Options, Format>(create: (locale: string, options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>();
  return (options) => {
    const { locale } = details[language.value];
    const key = `${locale} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? create(locale, options);
    formats.set(key, format);
    return format;
  };
}

const numbers = cached((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
const dates = cached((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
const ages = cached((locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options));

/** Rounds to `digits` decimals; a value that rounds to zero has no minus sign. */
const rounded = (digits: number) =>
  ({ signDisplay: 'negative', maximumFractionDigits: digits, minimumFractionDigits: digits }) as const;

export const number = (value: number, digits = 0): string => numbers(rounded(digits)).format(value);

const scaled = (value: number, unit: string): string => {
  const size = Math.abs(value);
  if (size >= 1e9) return `${number(value / 1e9, 2)} G${unit}`;
  if (size >= 1e6) return `${number(value / 1e6, 2)} M${unit}`;
  if (size >= 10_000) return `${number(value / 1000, 1)} k${unit}`;
  if (size >= 1000) return `${number(value / 1000, 2)} k${unit}`;
  return `${number(value)} ${unit}`;
};

/** Returns a power without its sign; the page names the direction in words. */
export const power = (watts: number | undefined): string =>
  watts === undefined ? notAvailable : scaled(Math.abs(watts), 'W');

/** Returns an energy. Up to 100 MWh it is in kWh, as on meters and invoices. */
export function energy(wattHours: number | undefined): string {
  if (wattHours === undefined) return notAvailable;
  const size = Math.abs(wattHours);
  return size >= 1e6 && size < 1e8 ? `${number(wattHours / 1000)} kWh` : scaled(wattHours, 'Wh');
}

/** Returns a mass in kilograms. */
export function mass(grams: number): string {
  const kg = grams / 1000;
  return `${number(kg, kg >= 100 ? 0 : kg >= 10 ? 1 : 2)} kg`;
}

/** Returns 52% in English and 52 % in Swedish. */
export const percent = (fraction: number | undefined, digits = 0): string =>
  fraction === undefined ? notAvailable : numbers({ style: 'percent', ...rounded(digits) }).format(fraction);

/** Returns a change with its sign, such as +12%. */
export const change = (fraction: number): string =>
  numbers({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(fraction);

export const money = (amount: number, currency: string, digits = 2): string =>
  numbers({ style: 'currency', currency, ...rounded(digits) }).format(amount);

/** Returns a duration such as 1 hour or 15 minutes. */
export const inUnit = (
  count: number,
  unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year',
  digits = 0,
): string => numbers({ style: 'unit', unit, unitDisplay: 'long', ...rounded(digits) }).format(count);

/** Returns a size as 1.3 MB, in powers of a thousand. */
export function bytes(count: number): string {
  if (count >= 1e9) return `${number(count / 1e9, 1)} GB`;
  if (count >= 1e6) return `${number(count / 1e6, 1)} MB`;
  if (count >= 1e3) return `${number(count / 1e3)} kB`;
  return `${number(count)} B`;
}

const dateFormat =
  (options: Intl.DateTimeFormatOptions) =>
  (ms: number, timeZone?: string): string =>
    dates({ ...options, ...(timeZone && { timeZone }) }).format(ms);

export const timeOfDay = dateFormat({ hour: '2-digit', minute: '2-digit' });
export const timeWithSeconds = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const day = dateFormat({ weekday: 'short', day: 'numeric', month: 'short' });
export const date = dateFormat({ dateStyle: 'medium' });
export const dateAndTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
export const shortDay = dateFormat({ day: 'numeric', month: 'short' });
export const weekday = dateFormat({ weekday: 'short' });
export const month = dateFormat({ month: 'short' });
export const monthAndYear = dateFormat({ month: 'long', year: 'numeric' });
export const year = dateFormat({ year: 'numeric' });
export const fullDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** Returns a period as dates, or with times where it does not consist of whole days. */
export function dateRange(fromMs: number, toMs: number, timeZone?: string, hasTimes = false): string {
  const format = dates({
    dateStyle: 'medium',
    ...(hasTimes && { timeStyle: 'short' }),
    ...(timeZone && { timeZone }),
  });
  return format.formatRange(fromMs, hasTimes ? toMs : toMs - 1);
}

export function ago(ms: number, nowMs: number): string {
  const seconds = Math.round((nowMs - ms) / 1000);
  const size = Math.abs(seconds);
  if (size < 2) return t('justNow');
  const words = ages({ numeric: 'always', style: 'short' });
  if (size < 60) return words.format(-seconds, 'second');
  if (size < 3600) return words.format(-Math.round(seconds / 60), 'minute');
  if (size < 86_400) return words.format(-Math.round(seconds / 3600), 'hour');
  return words.format(-Math.round(seconds / 86_400), 'day');
}

/** Returns the time left as 4:07. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const rest = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
}
