import { sentenceIn } from '#contract/plan-sentences.ts';
import { decimalSeparator, language, shortDay, texts, translated } from './text.ts';

const t = texts({ dated: '{time} on {day}' });

type KnownProps = { text: string; among: Readonly<Record<string, string>> };

/** Says an English text in the language of the page if it is one of these sentences, otherwise in English. */
export function KnownSentence({ text, among }: KnownProps) {
  const found = language.value === 'en' ? undefined : sentenceIn(among, text);
  if (!found) return <span lang="en">{text}</span>;
  return <>{translated(found.sentence).replace(/\{(\w+)\}/g, (_, name: string) => local(found.values[name] ?? ''))}</>;
}

/** Writes a value of an English sentence as the language of the page does. */
function local(value: string): string {
  const [, time, date] = /^(\d\d:\d\d) on (\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  if (time && date) return t('dated', { time, day: shortDay(Date.parse(date), 'UTC') });
  return /^-?\d+\.\d+( kWh?)?$/.test(value) ? value.replace('.', decimalSeparator(language.value)) : value;
}
