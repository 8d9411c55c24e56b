import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { RunningCloud } from '#cloud/main.ts';
import { createClient } from '#contract/client.ts';
import { updateContract } from '#contract/cloud/contract.ts';
import { updatePlanGoals } from '#contract/cloud/plans.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { openIdentity } from '#gateway/identity/identity.ts';
import { type RunningGateway, startGateway } from '#gateway/main.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Env } from '#lib/config.ts';
import { readConfig } from '#lib/config.ts';
import type { Logger } from '#lib/log.ts';
import type { Playground } from '../playground.ts';
import type { StackState } from '../state-file.ts';
import { endOfHistory, startBackfill } from './history.ts';
import { connectDevices, homeContract, homeGoals, homeSite, provisionDevices } from './home.ts';
import { homeModel, type Ports, startDemoHouse } from './house.ts';
import { openHouseMemory } from './house-memory.ts';
import { openOrganization, signIn } from './owner.ts';
import { enterPastYear } from './past-year.ts';
import { startDemoStreet } from './street.ts';

export type DemoOptions = {
  cloudUrl: string;
  mqttUrl: string;
  importEnergy: RunningCloud['importEnergy'];
  dataDir: string;
  gatewayEnv: Env;
  houses: number;
  hasHistory: boolean;
  playground: Playground;
  version: string;
  clock: Clock;
  log: Logger;
};

type RunningDemo = {
  gateway: RunningGateway;
  state: Required<Pick<StackState, 'identity_id' | 'private_key_file' | 'org_id' | 'site_id' | 'devices'>>;
};

/** The state that a completed start saves for the next one. */
type Kept = {
  org_id: string;
  site_id: string;
  ports: Ports;
  /** the end of the simulated history (ms), until the platform has stored all of it */
  past_until?: number;
};

/** Sets up an owner with a home and a street, by the steps that any owner takes. Every step reuses what already exists. */
export async function startDemo(options: DemoOptions, opened: AsyncDisposableStack): Promise<RunningDemo> {
  const { cloudUrl, mqttUrl, dataDir, gatewayEnv, houses, hasHistory, playground, version, clock, log } = options;
  const keptFile = join(dataDir, 'demo', 'home.json');
  await mkdir(dirname(keptFile), { recursive: true, mode: 0o700 });
  const before = await readJsonOrWarn<Kept>(keptFile, 'the saved state of the demo was damaged and set aside', log);
  const historyUntil = before ? before.past_until : hasHistory ? clock.now() : undefined;
  const memory = await openHouseMemory(join(dataDir, 'demo', 'counters.json'), clock, log);
  opened.defer(() => memory.close());
  const home = memory.build('home', homeModel, historyUntil === undefined ? undefined : endOfHistory(historyUntil));
  const house = await startDemoHouse(home, before?.ports ?? {}, clock);
  opened.defer(() => house.close());

  const identity = await signIn(cloudUrl, join(dataDir, 'demo', 'identity.pem'));
  const organization = await openOrganization(identity, before?.org_id, clock);
  const siteId = await organization.site(homeSite, before?.site_id);
  const isFirst = before?.org_id !== organization.id;
  if (isFirst) {
    const body = { periods: homeContract };
    await organization.api.call(updateContract, { params: { site_id: siteId }, body });
  }

  const { GATEWAY_DATA_DIR, GATEWAY_SERIAL_PREFIX } = readConfig(GatewayConfig, gatewayEnv);
  const gatewayIdentity = await openIdentity(GATEWAY_DATA_DIR, GATEWAY_SERIAL_PREFIX);
  const { serial, publicKeyHex, sign } = gatewayIdentity;
  // A gateway that somebody has claimed from the demo stays theirs.
  const isOurs = isFirst || organization.gateways.has(serial);
  if (!isOurs) log.warn({ serial }, 'the gateway of the demo now has another owner and is left to them');
  // Claims the gateway before it starts, so that the broker accepts its first connection.
  if (isFirst && !organization.gateways.has(serial)) {
    await organization.claim({ serial, publicKey: publicKeyHex, sign });
  }
  const gateway = await startGateway(gatewayEnv, { version });
  opened.defer(() => gateway.close());

  const { players, ports } = house;
  await connectDevices(createClient({ baseUrl: gateway.url, token: gateway.localToken }), players, isFirst);
  const devices = await provisionDevices({ organization, siteId, gatewaySerial: serial, players }, isOurs);

  const params = { site_id: siteId };
  if (isFirst) await organization.api.call(updatePlanGoals, { params, body: homeGoals(devices) });

  const file = join(dataDir, 'street', 'keys.json');
  const street = await startDemoStreet({ file, houses, organization, memory, mqttUrl, version, clock, log });
  opened.defer(() => street.close());

  playground.open({ owner: identity, home, street: street.houses, players });
  const kept: Kept = { org_id: organization.id, site_id: siteId, ports };
  await writeJson(keptFile, { ...kept, ...(historyUntil !== undefined && { past_until: historyUntil }) });
  if (historyUntil !== undefined && isOurs) {
    const backfill = startBackfill({
      until: historyUntil,
      identity: gatewayIdentity,
      mqttUrl,
      api: organization.api,
      ders: devices.flatMap((device) => device.ders),
      enterPastYear: (end, signal) => enterPastYear(options, siteId, devices, end, signal),
      onStored: async () => {
        await organization.api.call(updatePlanGoals, { params, body: {} }); // plans again, with what the home has used
        await writeJson(keptFile, kept);
      },
      clock,
      log,
    });
    opened.defer(() => backfill.close());
  }
  return {
    gateway,
    state: {
      identity_id: identity.identityId,
      private_key_file: resolve(identity.keyFile),
      org_id: organization.id,
      site_id: siteId,
      devices,
    },
  };
}
