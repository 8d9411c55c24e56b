import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import { newGatewayKey } from '../street-gateways/gateway-key.ts';
import type { FleetDevice } from './gateway.ts';

/** A gateway that was made once; claimed and provisioned as far as it has a site and devices. */
export type KnownGateway = { /** PKCS 8, PEM */ key: string; site_id?: string; devices: FleetDevice[] };

/** What is remembered of a fleet at one platform, so that it is claimed once. */
export type FleetState = { org_id?: string; gateways: KnownGateway[] };

/** Each platform has a file of its own. */
const fileOf = (folder: string, url: string): string => join(folder, `${new URL(url).host.replace(':', '-')}.json`);

/** At least so many gateways: the keys of new ones are on disk before anything is claimed with them. */
export async function openFleetState(folder: string, url: string, gateways: number): Promise<FleetState> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stored = await readJson<FleetState>(fileOf(folder, url));
  if (stored?.damaged)
    throw new Error(`What was known of the fleet was damaged and is set aside as ${stored.damaged}; run this again.`);
  const state = stored?.data ?? { gateways: [] };
  const missing = gateways - state.gateways.length;
  for (let made = 0; made < missing; made++) state.gateways.push({ key: newGatewayKey(), devices: [] });
  if (missing > 0) await saveFleetState(folder, url, state);
  return state;
}

export const saveFleetState = (folder: string, url: string, state: FleetState): Promise<void> =>
  writeJson(fileOf(folder, url), state);
