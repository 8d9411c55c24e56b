import { language } from '../../parts/text.ts';

const words: Record<string, { en: string; sv: string }> = {
  too_old: { en: 'too old', sv: 'för gamla' },
  outbox_full: { en: 'beyond the room allowed for them', sv: 'fick inte plats' },
  disk_full: { en: 'with the disk full', sv: 'när disken var full' },
  damaged: { en: 'damaged on disk', sv: 'skadade på disken' },
  undatable: { en: 'of an unknown time', sv: 'utan känd tid' },
  no_number: { en: 'without a number', sv: 'utan nummer' },
};

/** Why samples were given up. */
export const dropWords = (reason: string): string =>
  Object.hasOwn(words, reason) ? words[reason]![language.value] : reason.replaceAll('_', ' ');
