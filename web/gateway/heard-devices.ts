import { getData } from '#contract/gateway/data.ts';
import { type DeviceEntry, listDevices } from '#contract/gateway/devices.ts';
import { type DerKind, type DerReading, derKinds } from '#contract/gateway/reading.ts';
import type { Load } from '../parts/load.tsx';
import { gateway } from './gateway-api.ts';
import { byOurClock } from './gateway-clock.ts';
import { usePoll } from './poll.ts';

/** A device with the latest it told; times by the clock of the browser. */
export type HeardDevice = DeviceEntry & {
  heardMs: number | undefined;
  readings: Partial<Record<DerKind, DerReading>>;
};

async function hearDevices(signal: AbortSignal): Promise<HeardDevice[]> {
  const { devices } = await gateway.call(listDevices, { signal });
  const inOrder = devices.toSorted((a, b) => a.profile.localeCompare(b.profile) || a.sn.localeCompare(b.sn));
  return Promise.all(inOrder.map((entry) => hear(entry, signal)));
}

async function hear(entry: DeviceEntry, signal: AbortSignal): Promise<HeardDevice> {
  const snapshot = await gateway.call(getData, { params: { sn: entry.sn }, signal });
  const readings = derKinds.flatMap((kind) => {
    const reading = snapshot?.[kind];
    return reading ? [[kind, { ...reading, timestamp: byOurClock(reading.timestamp) }]] : [];
  });
  return {
    ...entry,
    heardMs: entry.last_harvest === undefined ? undefined : byOurClock(entry.last_harvest),
    readings: Object.fromEntries(readings),
  };
}

/** The devices of this gateway with what they say, once a second. */
export const useDevices = (): Load<HeardDevice[]> => usePoll(hearDevices);

/** One of them; null when the gateway has none of that serial. */
export const useDevice = (sn: string): Load<HeardDevice | null> =>
  usePoll(
    async (signal) => {
      const { devices } = await gateway.call(listDevices, { signal });
      const entry = devices.find((device) => device.sn === sn);
      return entry ? hear(entry, signal) : null;
    },
    [sn],
  );
