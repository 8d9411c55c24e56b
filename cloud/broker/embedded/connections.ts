import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as MqttClient } from 'aedes';
import type { Admitted, NamedClients, Registrar, TransportEvents } from '../transport.ts';
import { type BrokerConnection, createOwners } from './connection.ts';
import type { BrokerLimits } from './limits.ts';

export type Connections = ReturnType<typeof createConnections>;

const portionMs = 200;
const maxFinishMs = 1000;

export function createConnections(
  presence: TransportEvents['presence'],
  limits: BrokerLimits,
  report: Registrar['spent'],
) {
  const all = new Set<BrokerConnection>();
  const byMqtt = new WeakMap<MqttClient, BrokerConnection>();
  const owners = createOwners(limits, report);
  let gateways = 0;

  async function end(which: (connection: BrokerConnection) => boolean): Promise<void> {
    const ending = [...all].filter(which);
    await Promise.all(ending.map(({ mqtt }) => new Promise<void>((resolve) => mqtt.close(resolve))));
  }

  /** Reports the first connection of a gateway and the end of its last one. */
  function count({ client, owner }: BrokerConnection, change: 1 | -1): void {
    if (client?.kind !== 'gateway' || !owner) return;
    const before = owner.ready;
    owner.ready += change;
    if (before > 0 && owner.ready > 0) return;
    gateways += change;
    presence(client.serial, change > 0);
  }

  return {
    of: (mqtt: MqttClient | null): BrokerConnection | undefined => (mqtt ? byMqtt.get(mqtt) : undefined),

    add(connection: BrokerConnection): void {
      all.add(connection);
      byMqtt.set(connection.mqtt, connection);
    },

    /** Records a login. Returns false if the client has too many connections or this one is closed. */
    logIn(connection: BrokerConnection, { client, expiresAt }: Admitted): boolean {
      if (connection.stream.destroyed) return false;
      connection.owner = owners.enter(connection, client);
      if (!connection.owner) return false;
      connection.client = client;
      connection.expiresAt = expiresAt;
      connection.address = '';
      connection.willTopic = undefined;
      return true;
    },

    ready(mqtt: MqttClient): void {
      const connection = byMqtt.get(mqtt);
      if (!connection?.client || connection.stream.destroyed) return;
      connection.isReady = true;
      count(connection, 1);
    },

    remove(connection: BrokerConnection): void {
      all.delete(connection);
      owners.leave(connection);
      connection.unregister();
      if (connection.isReady) count(connection, -1);
    },

    get gateways(): number {
      return gateways;
    },

    hasGateway: owners.isReady,
    spend: owners.spend,

    /** Ends all connections in portions over this time, so that the clients do not connect elsewhere all at once. */
    async endSlowly(overMs: number): Promise<void> {
      const endAt = performance.now() + overMs;
      while (all.size > 0) {
        const portions = Math.max(1, Math.ceil((endAt - performance.now()) / portionMs));
        const portion = [...all].slice(0, Math.ceil(all.size / portions));
        await Promise.all([sleep(portionMs), ...portion.map(finish)]);
      }
    },

    endNamed: (named: NamedClients): Promise<void> => end((connection) => isNamed(connection, named)),
    endExpired(now: number): Promise<void> {
      owners.forgetIdle();
      return end(({ expiresAt }) => expiresAt <= now);
    },
  };
}

/** Reads no more messages, waits until the received ones are stored and acknowledged, and ends the connection. */
async function finish({ mqtt, stream, owner }: BrokerConnection): Promise<void> {
  stream.read = () => null;
  const giveUpAt = performance.now() + maxFinishMs;
  const isAcknowledged = (): boolean => (owner?.unstored ?? 0) === 0;
  do await sleep(10);
  while (!isAcknowledged() && performance.now() < giveUpAt);
  await new Promise<void>((resolve) => mqtt.close(resolve));
}

function isNamed({ client, username }: BrokerConnection, named: NamedClients): boolean {
  // A login in progress may rely on rights that are being withdrawn.
  if (!client) {
    if ('members' in named) return username !== '';
    return username === ('serial' in named ? named.serial : named.identityId);
  }
  if ('serial' in named) return client.kind === 'gateway' && client.serial === named.serial;
  if (client.kind !== 'member') return false;
  if ('members' in named) return true;
  return client.identityId === named.identityId && (client.tokenId === named.tokenId || named.tokenId === undefined);
}
