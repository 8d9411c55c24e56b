import type { DropReason, Status } from '#contract/gateway/status.ts';
import { type Language, language } from '../parts/text.ts';

type UplinkCounts = Pick<Status['uplink'], 'connected' | 'broker' | 'waiting'>;

const maxInFlight = 100; // about a second of a house with many devices

/** Returns whether samples have been sent, are waiting, or have no broker to go to. */
export function uplinkState({ connected, broker, waiting }: UplinkCounts): 'sent' | 'waiting' | 'none' {
  const isOffline = broker !== undefined && !connected;
  if (waiting > (isOffline ? 0 : maxInFlight)) return 'waiting';
  return broker ? 'sent' : 'none';
}

const isDropReason = (reason: string): reason is DropReason => Object.hasOwn(dropReasons.en, reason);

/** Describes why samples were discarded; an unknown reason keeps its technical name. */
export const dropWords = (reason: string): string =>
  isDropReason(reason) ? dropReasons[language.value][reason] : reason;

const dropReasons: Record<Language, Record<DropReason, string>> = {
  en: {
    too_old: 'too old',
    outbox_full: 'outbox full',
    disk_full: 'disk full',
    unwritten: 'could not be written to disk',
    damaged: 'damaged on disk',
    undatable: 'unknown time',
    no_number: 'no sample number',
  },
  sv: {
    too_old: 'för gamla',
    outbox_full: 'utkorgen var full',
    disk_full: 'disken var full',
    unwritten: 'kunde inte skrivas till disken',
    damaged: 'skadade på disken',
    undatable: 'okänd tid',
    no_number: 'saknar nummer',
  },
};
