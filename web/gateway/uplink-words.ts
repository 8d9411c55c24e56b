import type { DropReason, Status } from '#contract/gateway/status.ts';
import { texts } from '../parts/text.ts';

type UplinkCounts = Pick<Status['uplink'], 'connected' | 'broker' | 'waiting'>;

const maxInFlight = 100; // about a second of a house with many devices

/** Returns whether samples have been sent, are waiting, or have no broker to go to. */
export function uplinkState({ connected, broker, waiting }: UplinkCounts): 'sent' | 'waiting' | 'none' {
  const isOffline = broker !== undefined && !connected;
  if (waiting > (isOffline ? 0 : maxInFlight)) return 'waiting';
  return broker ? 'sent' : 'none';
}

/** Describes why samples were discarded; an unknown reason keeps its technical name. */
export const { orName: dropWords } = texts<DropReason>({
  too_old: ['too old', 'för gamla'],
  outbox_full: ['outbox full', 'utkorgen var full'],
  disk_full: ['disk full', 'disken var full'],
  unwritten: ['could not be written to disk', 'kunde inte skrivas till disken'],
  damaged: ['damaged on disk', 'skadade på disken'],
  undatable: ['unknown time', 'okänd tid'],
  no_number: ['no sample number', 'saknar nummer'],
});
