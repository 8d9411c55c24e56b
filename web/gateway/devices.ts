import { getData } from '#contract/gateway/data.ts';
import { type DeviceEntry, listDevices, listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import { type DerKind, type DerReading, derKinds } from '#contract/gateway/reading.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { gateway, toBrowserTime } from './gateway-api.ts';
import { usePoll } from './poll.ts';

/** A device with its latest readings; times are by the clock of the browser. */
export type DeviceWithReadings = DeviceEntry & {
  product: string;
  lastReadMs: number | undefined;
  readings: Partial<Record<DerKind, DerReading>>;
};

async function fetchDevices(signal: AbortSignal, sn?: string): Promise<DeviceWithReadings[]> {
  const { devices } = await gateway.call(listDevices, { signal });
  const wanted = devices.filter((entry) => sn === undefined || entry.sn === sn);
  const inOrder = wanted.toSorted((a, b) => a.profile.localeCompare(b.profile) || a.sn.localeCompare(b.sn));
  return Promise.all(inOrder.map((entry) => withReadings(entry, signal)));
}

async function withReadings(entry: DeviceEntry, signal: AbortSignal): Promise<DeviceWithReadings> {
  const snapshot = await gateway.call(getData, { params: { sn: entry.sn }, signal });
  const profiles = await loadProfiles().catch(() => []); // a device without a name keeps that of its profile
  const readings = derKinds.flatMap((kind) => {
    const reading = snapshot?.[kind];
    return reading ? [[kind, { ...reading, timestamp: toBrowserTime(reading.timestamp) }]] : [];
  });
  return {
    ...entry,
    product: productName(entry, profiles),
    lastReadMs: entry.last_harvest === undefined ? undefined : toBrowserTime(entry.last_harvest),
    readings: Object.fromEntries(readings),
  };
}

/** Polls the devices of the gateway and their readings every second. */
export const useDevices = (): Load<DeviceWithReadings[]> => usePoll((signal) => fetchDevices(signal));

/** Polls one device; an empty list when the gateway does not have it. */
export const useDevice = (sn: string): Load<DeviceWithReadings[]> =>
  usePoll((signal) => fetchDevices(signal, sn), [sn]);

let loading: Promise<SupportedProfile[]> | undefined;

async function fetchProfiles(): Promise<SupportedProfile[]> {
  const groups = Object.values(await gateway.call(listSupported));
  return groups.flatMap((group) => (typeof group === 'number' ? [] : group));
}

/** Loads the products that this gateway supports, once for all pages. */
function loadProfiles(): Promise<SupportedProfile[]> {
  loading ??= fetchProfiles().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export const useProfiles = (): Load<SupportedProfile[]> => useLoad(loadProfiles, []);

export const productName = ({ profile }: { profile: string }, profiles: readonly SupportedProfile[] = []): string =>
  profiles.find((known) => known.profile === profile)?.display_name ?? profile;
