import type { SiteReading } from '#contract/client/site-events.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';

/** When a device was last heard: by its newest reading here, else by what the platform noted. */
export function heardMs(
  { ders, last_seen }: Pick<DeviceListing, 'ders' | 'last_seen'>,
  readings: ReadonlyMap<string, SiteReading>,
): number | undefined {
  const times = ders.flatMap(({ id }) => readings.get(id)?.timestamp ?? []);
  if (times.length > 0) return Math.max(...times);
  return last_seen === null ? undefined : Date.parse(last_seen);
}
