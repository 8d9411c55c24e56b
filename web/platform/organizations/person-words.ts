import { texts } from '../../parts/text.ts';

const t = texts({
  nameless: 'No name ({end})',
});

/** Returns the name of a person; without one, words with the end of the ID that tell such persons apart. */
export const personWords = (name: string | null | undefined, id: string): string =>
  name ?? t('nameless', { end: id.slice(-4) });
