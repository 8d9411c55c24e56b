import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createClient } from '#contract/client.ts';
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
import { endOfPast, startSendingPast } from './history.ts';
import { connectDevices, homeSite, provisionDevices } from './home.ts';
import { homeModel, type Ports, startDemoHouse } from './house.ts';
import { openHouseMemory } from './house-memory.ts';
import { openOrganization, signIn } from './owner.ts';
import { startDemoStreet } from './street.ts';

export type DemoOptions = {
  cloudUrl: string;
  mqttUrl: string;
  dataDir: string;
  gatewayEnv: Env;
  houses: number;
  playground: Playground;
  version: string;
  clock: Clock;
  log: Logger;
};

type RunningDemo = {
  gateway: RunningGateway;
  state: Required<Pick<StackState, 'identity_id' | 'private_key_file' | 'org_id' | 'site_id' | 'devices'>>;
};

/** What a start leaves for the next one, once it has come to its end. */
type Kept = {
  org_id: string;
  site_id: string;
  ports: Ports;
  /** when the home was built (ms), as long as the platform has not been told all that was before */
  past_until?: number;
};

/** Plays an owner with a home and a street, by the steps that any owner takes. Every step looks for what is there already. */
export async function startDemo(options: DemoOptions, opened: AsyncDisposableStack): Promise<RunningDemo> {
  const { cloudUrl, mqttUrl, dataDir, gatewayEnv, houses, playground, version, clock, log } = options;
  const keptFile = join(dataDir, 'demo', 'home.json');
  await mkdir(dirname(keptFile), { recursive: true, mode: 0o700 });
  const before = await readJsonOrWarn<Kept>(keptFile, 'what the last start left was damaged and set aside', log);
  const pastUntil = before ? before.past_until : clock.now();
  const memory = await openHouseMemory(join(dataDir, 'demo', 'counters.json'), clock, log);
  opened.defer(() => memory.close());
  const home = memory.build('home', homeModel, pastUntil === undefined ? undefined : endOfPast(pastUntil));
  const house = await startDemoHouse(home, before?.ports ?? {}, clock);
  opened.defer(() => house.close());

  const identity = await signIn(cloudUrl, join(dataDir, 'demo', 'identity.pem'));
  const organization = await openOrganization(identity, before?.org_id, clock);
  const siteId = await organization.site(homeSite, before?.site_id);
  const isFirst = before?.org_id !== organization.id;

  const { GATEWAY_DATA_DIR, GATEWAY_SERIAL_PREFIX } = readConfig(GatewayConfig, gatewayEnv);
  const gatewayIdentity = await openIdentity(GATEWAY_DATA_DIR, GATEWAY_SERIAL_PREFIX);
  const { serial, publicKeyHex, sign } = gatewayIdentity;
  // Once it was ours, whoever has taken it since keeps it.
  const isOurs = isFirst || organization.gateways.has(serial);
  if (!isOurs) log.warn({ serial }, 'the gateway belongs to somebody else by now, and is left to them');
  // Before the gateway starts, so that the broker knows it when it calls.
  if (isFirst && !organization.gateways.has(serial)) {
    await organization.claim({ serial, publicKey: publicKeyHex, sign });
  }
  const gateway = await startGateway(gatewayEnv, { version });
  opened.defer(() => gateway.close());

  const { players, ports } = house;
  await connectDevices(createClient({ baseUrl: gateway.url, token: gateway.localToken }), players, isFirst);
  const devices = await provisionDevices({ organization, siteId, gatewaySerial: serial, players }, isOurs);

  const file = join(dataDir, 'street', 'keys.json');
  const street = await startDemoStreet({ file, houses, organization, memory, mqttUrl, version, clock, log });
  opened.defer(() => street.close());

  playground.open({ owner: identity, home, street: street.houses, players });
  const kept: Kept = { org_id: organization.id, site_id: siteId, ports };
  await writeJson(keptFile, { ...kept, ...(pastUntil !== undefined && { past_until: pastUntil }) });
  if (pastUntil !== undefined && isOurs) {
    const past = startSendingPast({
      until: pastUntil,
      identity: gatewayIdentity,
      mqttUrl,
      api: organization.api,
      ders: devices.flatMap((device) => device.ders),
      done: () => writeJson(keptFile, kept),
      clock,
      log,
    });
    opened.defer(() => past.close());
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
