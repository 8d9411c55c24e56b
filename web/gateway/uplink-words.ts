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
  too_old: 'too old',
  outbox_full: 'outbox full',
  disk_full: 'disk full',
  unwritten: 'could not be written to disk',
  damaged: 'damaged on disk',
  undatable: 'unknown time',
  no_number: 'no sample number',
});
