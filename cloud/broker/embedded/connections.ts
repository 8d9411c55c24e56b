import type { Client as MqttClient } from 'aedes';
import type { Admitted, NamedClients, TransportEvents } from '../transport.ts';
import type { Connection } from './connection.ts';
import type { BrokerLimits } from './limits.ts';
import { createOwners } from './owners.ts';
import { createPresence } from './presence.ts';

export type Connections = ReturnType<typeof createConnections>;

/** Everybody at the broker. */
export function createConnections(presence: TransportEvents['presence'], limits: BrokerLimits) {
  const all = new Set<Connection>();
  const byMqtt = new WeakMap<MqttClient, Connection>();
  const gateways = createPresence(presence);
  const owners = createOwners(limits);
  let members = 0;

  async function end(which: (connection: Connection) => boolean): Promise<void> {
    const ended: Promise<void>[] = [];
    for (const connection of all) {
      if (which(connection)) ended.push(new Promise((resolve) => connection.mqtt.close(resolve)));
    }
    await Promise.all(ended);
  }

  return {
    of: (mqtt: MqttClient | null): Connection | undefined => (mqtt ? byMqtt.get(mqtt) : undefined),

    add(connection: Connection): void {
      all.add(connection);
      byMqtt.set(connection.mqtt, connection);
    },

    /** Records who has logged in. False when the client has too many connections, or this one is gone. */
    logIn(connection: Connection, { client, expiresAt }: Admitted): boolean {
      if (connection.stream.destroyed) return false;
      connection.owner = owners.enter(connection, client);
      if (!connection.owner) return false;
      connection.client = client;
      connection.expiresAt = expiresAt;
      return true;
    },

    /** It is logged in, and told so. */
    ready(connection: Connection): void {
      const { client, stream } = connection;
      if (!client || stream.destroyed) return;
      connection.isReady = true;
      if (client.kind === 'gateway') gateways.came(client.serial);
      else members++;
    },

    remove(connection: Connection): void {
      all.delete(connection);
      owners.leave(connection);
      const { client, isReady } = connection;
      if (!client || !isReady) return;
      if (client.kind === 'gateway') gateways.went(client.serial);
      else members--;
    },

    hasMembers: (): boolean => members > 0,

    endNamed: (named: NamedClients): Promise<void> => end((connection) => isNamed(connection, named)),
    endExpired(now: number): Promise<void> {
      owners.forgetIdle();
      return end(({ expiresAt }) => expiresAt <= now);
    },
  };
}

function isNamed({ client, username }: Connection, named: NamedClients): boolean {
  // A login that is still being checked may rely on what is just being withdrawn.
  if (!client) {
    if ('members' in named) return username !== '';
    return username === ('serial' in named ? named.serial : named.identityId);
  }
  if ('serial' in named) return client.kind === 'gateway' && client.serial === named.serial;
  if (client.kind !== 'member') return false;
  if ('members' in named) return true;
  return client.identityId === named.identityId && (client.tokenId === named.tokenId || named.tokenId === undefined);
}
