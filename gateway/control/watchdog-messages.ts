import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { Facts, Part } from '../profiles/control/control-profile.ts';
import type { WriteRecord } from './actuator.ts';

/** A file that exists from before the first write to a device until the device is back in its own mode. */
export type Marker = WriteRecord & {
  /** identifies one period of control; a process that finds another id has nothing left to release */
  id: string;
  sn: string;
  profile: string;
  /** named so in the file */
  place: DeviceAddress;
  facts: Facts;
  /** ms since the epoch: when control began, and when its first lease was to end */
  since: number;
  until: number;
};

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
