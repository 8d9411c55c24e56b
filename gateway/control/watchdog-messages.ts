import type { Part } from '../profiles/control/control-profile.ts';
import type { Marker } from './marker.ts';

/** When each part has to be back in its own mode; ms on the monotonic clock of the machine. */
export type Ends = Partial<Record<Part, number>>;

export type ToWatchdog =
  | { kind: 'hold'; marker: Marker; ends: Ends }
  | { kind: 'released'; sn: string }
  /** the event loop of the gateway turns */
  | { kind: 'beat' };

export type FromWatchdog = { kind: 'ready' | 'beat' };

export const beatMs = 1000;
export const silentMs = 5000; // without a beat for as long, the other side hangs
