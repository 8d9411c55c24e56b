import { randomBytes } from 'node:crypto';
import { composeClaim } from '#contract/claim.ts';
import type { Ohmstead } from '#contract/client/connect.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { createOrganization, listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { formatTime } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { readGatewayKey } from '../street-gateways/gateway-key.ts';
import type { FleetState, KnownGateway } from './fleet-state.ts';

export type Enrolment = {
  api: Ohmstead;
  /** changed as it goes on */
  state: FleetState;
  save(): Promise<void>;
  gateways: number;
  /** meters of each gateway */
  devices: number;
  clock: Clock;
  signal: AbortSignal;
  /** Told the share that is done. */
  show(done: number): void;
};

const atOnce = 8;
const saveEvery = 100; // gateways
const name = 'Simulated fleet';

/**
 * Brings the first gateways of a fleet into an organization, as anybody would: each is claimed by its signature, has a
 * site of its own and its meters there. What was done before is not done again.
 */
export async function enrolFleet(enrolment: Enrolment): Promise<void> {
  const { state, save, gateways, devices, signal, show } = enrolment;
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
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    await save();
  }
}

/** The one that is remembered. A platform that does not know it has forgotten the rest as well. */
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
    gateway.devices.push({ hardware_id, der: ders[0]!.id });
  }
}
