import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing, DeviceState } from '#contract/cloud/devices.ts';
import { isStaleAt } from '#contract/time.ts';

/**
 * State of a device's data. live: up to date; silent: the gateway is online but sends no data of the device; away: the
 * gateway is offline; waiting: added but no data yet; orphaned: the gateway was released or moved.
 */
export type Quality = 'live' | 'silent' | 'away' | 'waiting' | 'orphaned';

/** `isGatewayOnline` is undefined until it is loaded. */
export function qualityOf(
  state: DeviceState,
  seenMs: number | undefined,
  isGatewayOnline: boolean | undefined,
  nowMs: number,
): Quality {
  if (state === 'orphaned') return 'orphaned';
  if (!isStaleAt(seenMs, nowMs)) return 'live';
  if (isGatewayOnline === false) return 'away';
  return seenMs === undefined ? 'waiting' : 'silent';
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
