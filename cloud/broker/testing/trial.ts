// Shared by the tests of the broker: a broker with a real store, and clients that log in to it.
import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { Clock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { CloudConfig } from '../../config.ts';
import { createPlatformMessage } from '../../gateways/management.ts';
import { openKeyRing } from '../../identity/key-ring.ts';
import { createSessions } from '../../identity/sessions.ts';
import { ensureSetting } from '../../store/settings.ts';
import type { Store } from '../../store/store.ts';
import { createAdmission } from '../admission.ts';
import { createAudience } from '../audience.ts';
import { createEmbeddedBroker, type EmbeddedBrokerOptions } from '../embedded.ts';
import type { Message } from '../transport.ts';

type World = { store: Store; clock: Clock; env?: Record<string, string>; listeners?: () => readonly string[] };

const tokenLifeMs = 24 * 3_600_000;
const log = createLog({ level: 'silent', name: 'test' });

export async function openAdmission({ store, clock, env = {}, listeners = () => [] }: World) {
  const keys = await openKeyRing(store, { clock, tokenLifeMs });
  const deploymentId = await ensureSetting(store, 'deployment_id', () => 'urn:test');
  const sessions = createSessions({ store, keys, clock, deploymentId, tokenLifeMs });
  const audience = createAudience(readConfig(CloudConfig, env), { deploymentId, listeners });
  const platformMessage = createPlatformMessage({ keys, deploymentId, clock });
  const admission = createAdmission({ store, sessions, audience, platformMessage, clock, log });
  return { admission, sessions, deploymentId, platformMessage };
}

export type BrokerChanges = Partial<EmbeddedBrokerOptions> & { message?(message: Message): Promise<void> };

/** A broker on a free port that records its events. */
export async function openBroker(world: World, { message, ...options }: BrokerChanges = {}) {
  const { admission, sessions, deploymentId, platformMessage } = await openAdmission(world);
  const { clock } = world;
  const broker = createEmbeddedBroker({
    admission,
    host: '127.0.0.1',
    mqttPort: 0,
    mayMove: false,
    clock,
    log,
    ...options,
  });
  const messages: Message[] = [];
  const presence: [serial: string, isConnected: boolean][] = [];
  await broker.start({
    async message(received) {
      messages.push(received);
      await message?.(received);
      return true;
    },
    presence: (...told) => void presence.push(told),
  });
  return { broker, sessions, deploymentId, platformMessage, messages, presence, url: broker.urls.mqtt! };
}

type Gateway = { serial: string; privateKey: KeyObject };
type Person = { id: string; token: string };

export type TokenChanges = { header?: object; claims?: object; key?: KeyObject | Uint8Array };

/** Valid login data of a gateway; a test changes one field. */
export function passwordOf({ serial, privateKey }: Gateway, now: number, changes: TokenChanges = {}): Promise<string> {
  const iat = Math.floor(now / 1000);
  return new SignJWT({ iat, exp: iat + 3600, ...changes.claims })
    .setProtectedHeader({ alg: 'ES256', device: serial, ...changes.header })
    .sign(changes.key ?? privateKey);
}

/** Connects once; fails with the broker's refusal. */
export const connect = (url: string, options: IClientOptions): Promise<MqttClient> =>
  connectAsync(url, { reconnectPeriod: 0, connectTimeout: 4000, ...options }, false);

export async function connectGateway(
  url: string,
  gateway: Gateway,
  now: number,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const password = await passwordOf(gateway, now);
  return connect(url, { clientId: gateway.serial, username: gateway.serial, password, ...options });
}

export const connectMember = (url: string, { id, token }: Person, options: IClientOptions = {}): Promise<MqttClient> =>
  connect(url, { clientId: id, username: id, password: token, ...options });

/** Client ids that a member may use on every broker, and some that no broker accepts. */
export const memberClientIds = (id: string, others: string[]) => ({
  own: [id, `${id}-phone`, `mqttjs-${id}`, ''],
  foreign: ['dashboard', 'MQTT Explorer', `${id}x`, `${id}-ö`, ...others, ...others.map((name) => `${name}-2`)],
});

/** Resolves when the connection ends on either side. */
export const ended = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    client.on('error', () => {});
    if (client.connected) client.once('close', () => resolve());
    else resolve();
  });
