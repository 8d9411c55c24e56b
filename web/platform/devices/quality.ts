import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing, DeviceState } from '#contract/cloud/devices.ts';

/**
 * What the values of a device are worth. live: as they are now; silent: its gateway is there, and nothing comes of it;
 * away: its gateway is not there; waiting: added, and never heard; orphaned: its gateway went elsewhere.
 */
export type Quality = 'live' | 'silent' | 'away' | 'waiting' | 'orphaned';

type Known = {
  state: DeviceState;
  /** the newest reading, or there is none */
  isStale: boolean;
  wasHeard: boolean;
  /** undefined while it is not known */
  isGatewayOnline: boolean | undefined;
};

export function qualityOf({ state, isStale, wasHeard, isGatewayOnline }: Known): Quality {
  if (state === 'orphaned') return 'orphaned';
  if (!isStale) return 'live';
  if (isGatewayOnline === false) return 'away';
  return wasHeard ? 'silent' : 'waiting';
}

/** When a device was last heard: by its newest reading here, else by what the platform noted. */
export function heardMs(
  { ders, last_seen }: Pick<DeviceListing, 'ders' | 'last_seen'>,
  readings: ReadonlyMap<string, SiteReading>,
): number | undefined {
  const times = ders.flatMap(({ id }) => readings.get(id)?.timestamp ?? []);
  if (times.length > 0) return Math.max(...times);
  return last_seen === null ? undefined : Date.parse(last_seen);
}
