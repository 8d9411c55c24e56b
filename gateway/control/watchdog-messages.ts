import type { Part } from '../profiles/control/control-profile.ts';
import type { Marker } from './control-journal.ts';

/** When each part has to be back in its own mode; ms on the monotonic clock of the machine. */
export type ReleaseDeadlines = Partial<Record<Part, number>>;

export type ToWatchdog =
  | { kind: 'hold'; marker: Marker; deadlines: ReleaseDeadlines }
  | { kind: 'released'; sn: string }
  /** proves that the event loop of the gateway runs */
  | { kind: 'beat' };

export type FromWatchdog = { kind: 'ready' | 'beat' };

export const beatMs = 1000;
export const maxSilentMs = 5000; // without a beat for this long, the other process hangs
