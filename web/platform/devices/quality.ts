import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing, DeviceState } from '#contract/cloud/devices.ts';

/**
 * State of a device's data. live: up to date; silent: the gateway is online but sends no data of the device; away: the
 * gateway is offline; waiting: added but no data yet; orphaned: the gateway was released or moved.
 */
export type Quality = 'live' | 'silent' | 'away' | 'waiting' | 'orphaned';

type DeviceFacts = {
  state: DeviceState;
  /** true also without any reading */
  isStale: boolean;
  hasData: boolean;
  /** undefined until it is loaded */
  isGatewayOnline: boolean | undefined;
};

export function qualityOf({ state, isStale, hasData, isGatewayOnline }: DeviceFacts): Quality {
  if (state === 'orphaned') return 'orphaned';
  if (!isStale) return 'live';
  if (isGatewayOnline === false) return 'away';
  return hasData ? 'silent' : 'waiting';
}

/** Returns the time of the latest reading, or the platform's last_seen. */
export function lastSeenMs(
  { ders, last_seen }: Pick<DeviceListing, 'ders' | 'last_seen'>,
  readings: ReadonlyMap<string, SiteReading>,
): number | undefined {
  const times = ders.flatMap(({ id }) => readings.get(id)?.timestamp ?? []);
  if (times.length > 0) return Math.max(...times);
  return last_seen === null ? undefined : Date.parse(last_seen);
}
