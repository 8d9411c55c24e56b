import type { Client as MqttClient } from 'aedes';
import type { Admitted, NamedClients, TransportEvents } from '../transport.ts';
import type { BrokerConnection } from './connection.ts';
import { createOwners } from './connection.ts';
import type { BrokerLimits } from './limits.ts';

export type Connections = ReturnType<typeof createConnections>;

/** Tracks all connections of the broker. */
export function createConnections(presence: TransportEvents['presence'], limits: BrokerLimits) {
  const all = new Set<BrokerConnection>();
  const byMqtt = new WeakMap<MqttClient, BrokerConnection>();
  const gateways = createPresence(presence);
  const owners = createOwners(limits);
  let members = 0;

  async function end(which: (connection: BrokerConnection) => boolean): Promise<void> {
    const ended: Promise<void>[] = [];
    for (const connection of all) {
      if (which(connection)) ended.push(new Promise((resolve) => connection.mqtt.close(resolve)));
    }
    await Promise.all(ended);
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
      return true;
    },

    /** Marks a connection as ready after its CONNACK. */
    ready(connection: BrokerConnection): void {
      const { client, stream } = connection;
      if (!client || stream.destroyed) return;
      connection.isReady = true;
      if (client.kind === 'gateway') gateways.came(client.serial);
      else members++;
    },

    remove(connection: BrokerConnection): void {
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

/** Reports the first connection of a gateway and the end of its last one. */
function createPresence(onChange: TransportEvents['presence']) {
  const connected = new Map<string, number>();
  return {
    came(serial: string): void {
      const before = connected.get(serial) ?? 0;
      connected.set(serial, before + 1);
      if (before === 0) onChange(serial, true);
    },
    went(serial: string): void {
      const left = (connected.get(serial) ?? 1) - 1;
      if (left > 0) return void connected.set(serial, left);
      connected.delete(serial);
      onChange(serial, false);
    },
  };
}
