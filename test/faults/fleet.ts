import { setTimeout as sleep } from 'node:timers/promises';
import { composeClaim } from '#contract/claim.ts';
import { createClient } from '#contract/client.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { getDerTelemetry } from '#contract/cloud/telemetry.ts';
import type { Ledger, Stored } from '#sim/fleet/ledger.ts';
import { connectGateway, type GatewayClient } from '../cloud/gateway-client.ts';
import { ed25519, type GatewaySigner, p256 } from '../cloud/people.ts';

export type Fleet = { token: string; gateways: { signer: GatewaySigner; der: string }[] };

/** Claimed gateways with a meter each, created through the API. */
export async function enrolFleet(baseUrl: string, size: number): Promise<Fleet> {
  const me = ed25519();
  const anyone = createClient({ baseUrl });
  const { identity_id } = await anyone.call(registerIdentity, { body: { public_key: me.publicKey } });
  const { challenge } = await anyone.call(requestChallenge, { body: { public_key: me.publicKey } });
  const { token } = await anyone.call(verifyChallenge, {
    body: { public_key: me.publicKey, challenge, signature: me.sign(challenge) },
  });
  const api = createClient({ baseUrl, token });
  const { id: org_id } = await api.call(createOrganization, { body: { name: 'Street' } });
  const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'House' } });
  const gateways = [];
  for (let index = 0; index < size; index++) {
    const signer = p256();
    const { serial: gateway_serial, publicKey: public_key } = signer;
    const message = composeClaim({
      claimerId: identity_id,
      nonce: String(index),
      timestamp: String(Date.now()),
      serial: gateway_serial,
    });
    await api.call(claimGateway, {
      body: { org_id, gateway_serial, public_key, message, signature: signer.sign(message) },
    });
    const { ders } = await api.call(provisionDevice, {
      body: {
        gateway_serial,
        site_id,
        hardware_id: 'M1',
        device_type: 'energy_meter',
        ders: [{ name: 'grid', type: 'meter' }],
      },
    });
    gateways.push({ signer, der: ders[0]!.id });
  }
  return { token, gateways };
}

const inFlight = 20;

/**
 * Every gateway publishes as fast as it is acknowledged, or pauses after each reading of the twenty in flight, through every
 * lost connection, until it is stopped.
 */
export function reportContinually(
  mqttUrl: (gateway: number) => string,
  { gateways }: Fleet,
  ledger: Ledger,
  restMs = 0,
) {
  const state = { isRunning: true };
  let at = Date.now() - 3_000_000;

  async function reportOne(client: GatewayClient, der: string): Promise<void> {
    const sample = { der, at: at++ };
    ledger.intend(sample);
    await client.report('M1', 'grid', {
      timestamp: sample.at,
      W: sample.at % 5000,
      L1_V: 230.1,
      total_import_Wh: sample.at % 1e9,
    });
    ledger.acknowledge(sample);
  }

  async function lane(client: GatewayClient, der: string): Promise<void> {
    while (state.isRunning && client.connected) {
      await reportOne(client, der);
      if (restMs > 0) await sleep(restMs);
    }
  }

  async function reportAs({ signer, der }: Fleet['gateways'][number], index: number): Promise<void> {
    while (state.isRunning) {
      const client = await connectGateway(mqttUrl(index), signer, Date.now()).catch(() => undefined);
      if (!client) {
        await sleep(50);
        continue;
      }
      client.on('error', () => {});
      client.once('close', () => client.end(true)); // rejects readings that still wait for an acknowledgement
      await Promise.allSettled(Array.from({ length: inFlight }, () => lane(client, der)));
      await client.endAsync(true).catch(() => {});
    }
  }

  const reporting = Promise.all(gateways.map(reportAs));
  return async function stop(): Promise<void> {
    state.isRunning = false;
    await reporting;
  };
}

/** All stored readings of the fleet. */
export async function storedOf(baseUrl: string, { token, gateways }: Fleet): Promise<Stored> {
  const api = createClient({ baseUrl, token });
  const stored = new Map<string, number[]>();
  for (const { der } of gateways) {
    const query = {
      from: String(Date.now() - 7_200_000),
      to: String(Date.now() + 3_600_000),
      resolution: 'raw' as const,
    };
    const { points } = await api.call(getDerTelemetry, { params: { der_id: der }, query });
    stored.set(
      der,
      points.map(({ timestamp }) => timestamp),
    );
  }
  return stored;
}
