import type { Client } from '#contract/client.ts';
import { type DeviceEntry, listDevices, listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import { didYouMean, nearest } from '../line/nearest.ts';

/** What the gateway has of this serial. */
export async function findDevice(gateway: Client, sn: string): Promise<DeviceEntry> {
  const { devices } = await gateway.call(listDevices);
  const found = devices.find((entry) => entry.sn === sn);
  if (found) return found;
  const serials = devices.map((entry) => entry.sn);
  const known = serials.length > 0 ? `it has ${serials.join(', ')}` : 'it has none';
  throw new Problem('not_found', `The gateway has no device "${sn}": ${known}${didYouMean(nearest(sn, serials))}`);
}

/** The DERs of a device by the words of the command line; all of them when none are given. */
export function chooseDers({ sn, ders }: DeviceEntry, given: string | undefined): DerKind[] {
  const kinds = ders.map(({ type }) => type);
  if (given === undefined) return kinds;
  return given.split(',').map((word) => {
    const kind = kinds.find((known) => known === word);
    if (kind) return kind;
    throw new Problem(
      'not_found',
      `${sn} has no "${word}"; it has ${kinds.join(', ')}${didYouMean(nearest(word, kinds))}`,
    );
  });
}

/** The devices that the gateway knows, whatever it files them under. */
export async function listProfiles(gateway: Client): Promise<SupportedProfile[]> {
  const { count: _, ...categories } = await gateway.call(listSupported);
  return Object.values(categories).flat() as SupportedProfile[];
}

export async function findProfile(gateway: Client, given: string): Promise<SupportedProfile> {
  const profiles = await listProfiles(gateway);
  const found = profiles.find(({ profile }) => profile === given);
  if (found) return found;
  const near = nearest(
    given,
    profiles.map(({ profile }) => profile),
  );
  throw new Problem('not_found', `The gateway knows no "${given}"${didYouMean(near)} See ohmstead device types.`);
}
