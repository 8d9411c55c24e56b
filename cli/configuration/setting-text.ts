import type { Setting } from '#lib/config/setting.ts';

/** What a setting is, as sentences in Markdown. */
export function meaning({ description = '', enum: words, note, secret }: Setting): string {
  const phrase = `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
  return [`${phrase}.`, words && `One of ${words.map((word) => `\`${word}\``).join(', ')}.`, note, secret && 'Secret.']
    .filter(Boolean)
    .join(' ');
}

/** The same without marks, for where nobody renders them. */
export const plainMeaning = (setting: Setting): string => meaning(setting).replaceAll('`', '');
