import type { DropReason } from '#contract/gateway/status.ts';
import { type Language, texts } from '../../parts/text.ts';

const words: Record<Language, Record<DropReason, string>> = {
  en: {
    too_old: 'too old',
    outbox_full: 'beyond the room allowed for them',
    disk_full: 'with the disk full',
    unwritten: 'that could not be written to disk',
    damaged: 'damaged on disk',
    undatable: 'of an unknown time',
    no_number: 'without a number',
  },
  sv: {
    too_old: 'för gamla',
    outbox_full: 'fick inte plats',
    disk_full: 'när disken var full',
    unwritten: 'som inte gick att skriva till disken',
    damaged: 'skadade på disken',
    undatable: 'utan känd tid',
    no_number: 'utan nummer',
  },
};

const t = texts(words);

/** Why samples were given up; a reason that this page has not heard of stays as it is. */
export const dropWords = (reason: string): string =>
  Object.hasOwn(words.en, reason) ? t(reason as DropReason) : reason;
