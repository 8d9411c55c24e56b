import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { composeClaim } from '#contract/claim.ts';
import type { Ohmstead } from '#contract/client/connect.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { createOrganization, listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { formatTime } from '#contract/time.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { newGatewayKey, readGatewayKey } from '../street-gateways/gateway-key.ts';
import type { FleetDevice } from './gateway.ts';

/** A stored gateway; enrolled if it has a site and devices. */
export type KnownGateway = { /** PKCS 8, PEM */ key: string; site_id?: string; devices: FleetDevice[] };

/** The state of a fleet at one platform, stored so that it is enrolled only once. */
export type FleetState = { org_id?: string; gateways: KnownGateway[] };

/** Each platform has its own file. */
const fileOf = (folder: string, url: string): string => join(folder, `${new URL(url).host.replace(':', '-')}.json`);

/** Opens the state with at least this number of gateways; new keys are stored before they are used. */
export async function openFleetState(folder: string, url: string, gateways: number): Promise<FleetState> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stored = await readJson<FleetState>(fileOf(folder, url));
  if (stored?.damaged)
    throw new Error(`The stored fleet was damaged and moved to ${stored.damaged}; run the command again.`);
  const state = stored?.data ?? { gateways: [] };
  const missing = gateways - state.gateways.length;
  for (let made = 0; made < missing; made++) state.gateways.push({ key: newGatewayKey(), devices: [] });
  if (missing > 0) await saveFleetState(folder, url, state);
  return state;
}

export const saveFleetState = (folder: string, url: string, state: FleetState): Promise<void> =>
  writeJson(fileOf(folder, url), state);

export type Enrolment = {
  api: Ohmstead;
  /** updated during enrolment */
  state: FleetState;
  save(): Promise<void>;
  gateways: number;
  /** meters of each gateway */
  devices: number;
  clock: Clock;
  signal: AbortSignal;
  /** Called with the completed share. */
  onProgress(done: number): void;
};

const concurrency = 8;
const saveEvery = 100; // gateways
const name = 'Simulated fleet';

/** Claims the first gateways of a fleet and creates their sites and meters. Skips what was enrolled before. */
export async function enrolFleet(enrolment: Enrolment): Promise<void> {
  const { state, save, gateways, devices, signal, onProgress: show } = enrolment;
  const org_id = await openOrganization(enrolment);
  const wanted = state.gateways.slice(0, gateways);
  const missing = wanted.filter((gateway) => gateway.devices.length < devices);
  let done = wanted.length - missing.length;
  const waiting = missing.values();
  const lane = async (): Promise<void> => {
    for (const gateway of waiting) {
      signal.throwIfAborted();
      await enrolGateway(gateway, state.gateways.indexOf(gateway) + 1, org_id, enrolment);
      show(++done / wanted.length);
      if (done % saveEvery === 0) await save();
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    await save();
  }
}

/** Returns the stored organization. If the platform does not know it, everything is enrolled again. */
async function openOrganization({ api, state, save }: Enrolment): Promise<string> {
  for await (const { id } of api.pages(listOrganizations)) if (id === state.org_id) return id;
  const { id } = await api.call(createOrganization, { body: { name } });
  state.org_id = id;
  for (const gateway of state.gateways) {
    delete gateway.site_id;
    gateway.devices = [];
  }
  await save();
  return id;
}

async function enrolGateway(
  gateway: KnownGateway,
  number: number,
  org_id: string,
  { api, devices, clock, signal }: Enrolment,
): Promise<void> {
  const { serial: gateway_serial, publicKey: public_key, sign } = readGatewayKey(gateway.key);
  if (!gateway.site_id) {
    const message = composeClaim({
      claimerId: api.identityId,
      nonce: randomBytes(6).toString('hex'),
      timestamp: formatTime(clock.now()),
      serial: gateway_serial,
    });
    const body = { org_id, gateway_serial, public_key, message, signature: sign(message) };
    await api.call(claimGateway, { body, signal });
    const site = await api.call(createSite, { body: { org_id, name: `Simulated house ${number}` }, signal });
    gateway.site_id = site.id;
  }
  for (let meter = gateway.devices.length + 1; meter <= devices; meter++) {
    const hardware_id = `SIMFLEET${meter}`;
    const { ders } = await api.call(provisionDevice, {
      body: {
        gateway_serial,
        site_id: gateway.site_id,
        hardware_id,
        device_type: 'energy_meter',
        name: `Simulated meter ${meter}`,
        manufacturer: 'Simulated',
        model: name,
        ders: [{ name: 'meter', type: 'meter' }],
      },
      signal,
    });
    for (const { id } of ders) gateway.devices.push({ hardware_id, der: id }); // one meter
  }
}
