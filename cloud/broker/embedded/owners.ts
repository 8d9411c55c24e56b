import type { Client } from '../transport.ts';
import type { Connection, Owner } from './connection.ts';
import type { BrokerLimits } from './limits.ts';

export function createOwners(limits: Pick<BrokerLimits, 'connectionsPerGateway' | 'connectionsPerMember'>) {
  const byName = new Map<string, Owner>();
  const withoutConnection = new Set<Owner>();

  return {
    /** Adds the connection to its owner's. Returns undefined when the owner has too many; one with the same client id is replaced. */
    enter(connection: Connection, client: Client): Owner | undefined {
      const name = client.kind === 'gateway' ? client.serial : client.identityId;
      const most = client.kind === 'gateway' ? limits.connectionsPerGateway : limits.connectionsPerMember;
      const owner = byName.get(name) ?? { name, connections: new Set(), dueAt: 0, unstored: 0 };
      const others = [...owner.connections].filter(({ clientId }) => clientId !== connection.clientId);
      if (others.length >= most) return undefined;
      byName.set(name, owner);
      withoutConnection.delete(owner);
      owner.connections.add(connection);
      return owner;
    },

    leave(connection: Connection): void {
      const { owner } = connection;
      if (owner?.connections.delete(connection) && owner.connections.size === 0) withoutConnection.add(owner);
    },

    /** Forgets owners without connections once their rate limit has recovered, so that reconnecting does not reset it. */
    forgetIdle(now = performance.now()): void {
      for (const owner of withoutConnection) {
        if (owner.unstored > 0 || owner.dueAt > now) continue;
        withoutConnection.delete(owner);
        byName.delete(owner.name);
      }
    },

    count: (): number => byName.size,
  };
}

/** Messages are stored, or given up: every connection of the owner may go on reading. */
export function releaseUnstored(owner: Owner, weight: number): void {
  owner.unstored -= weight;
  for (const { resume } of owner.connections) resume();
}
