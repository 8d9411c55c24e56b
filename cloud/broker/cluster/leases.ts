import { minuteMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import { RecentMap } from '#lib/recent-map.ts';
import {
  type ConnectionKey,
  deleteExpiredConnections,
  enterConnection,
  leaveAllConnections,
  leaveConnections,
  listConnectedOwners,
  listNodesOf,
  listTakenConnections,
} from '../../store/broker-connections.ts';
import type { CommonDeps } from '../../store/store.ts';
import type { Admitted } from '../transport.ts';

export type LeaseDeps = CommonDeps & {
  nodeId: string;
  /** called when a gateway is connected to no process any more */
  onGone(serial: string): void;
};

/** A connection of this process, until its client connects to another one. */
type Lease = ConnectionKey & { owner: string; isGateway: boolean; end(): void };

const flushMs = 50; // connections that end together are recorded together
const expireMs = 10 * minuteMs;
const batchSize = 500;
const maxTaken = 100_000;

/** Records in the database which process each client is connected to. The newest connection of a client counts. */
export function createLeases({ store, clock, log, nodeId, onGone }: LeaseDeps) {
  const held = new Map<string, Lease>(); // by client id
  const taken = new RecentMap<number>(maxTaken); // epochs of connections to other processes, which may be heard of early
  const ended: Lease[] = [];
  let flushing: NodeJS.Timeout | undefined;
  const expire = async (): Promise<void> => void (await deleteExpiredConnections(store.db, clock.now() - expireMs));
  const schedule = createSchedule(log, [expireMs, expire, 'deleting expired broker connections']);

  async function flush(): Promise<void> {
    flushing = undefined;
    const leases = ended.splice(0, batchSize);
    if (leases.length === 0) return;
    try {
      await leaveConnections(store.db, leases, clock.now());
      const serials = leases.filter(({ isGateway }) => isGateway).map(({ owner }) => owner);
      const connected = new Set(serials.length > 0 ? await listConnectedOwners(store.db, serials) : []);
      for (const serial of new Set(serials)) if (!connected.has(serial)) onGone(serial);
    } catch (error) {
      log.debug({ err: error }, 'ended connections not recorded, they expire');
    }
    if (ended.length > 0) await flush();
  }

  function release(lease: Lease): void {
    if (held.get(lease.clientId) === lease) held.delete(lease.clientId);
    ended.push(lease);
    flushing ??= setTimeout(() => void flush(), flushMs).unref();
  }

  function endIfOlder({ clientId, epoch }: ConnectionKey): void {
    const lease = held.get(clientId);
    if (lease && lease.epoch < epoch) lease.end();
  }

  return {
    /**
     * Records a connection. Returns a function for its end, and the process that the client was connected to before. `end` is
     * called when the client connects to another process.
     */
    async take(clientId: string, { client, expiresAt }: Admitted, end: () => void) {
      const isGateway = client.kind === 'gateway';
      const owner = isGateway ? client.serial : client.identityId;
      const { epoch, previous_node } = await enterConnection(store.db, clientId, owner, nodeId, clock.now(), expiresAt);
      const lease: Lease = { clientId, epoch, owner, isGateway, end };
      held.set(clientId, lease);
      if ((taken.get(clientId) ?? 0) > epoch) end();
      const previous = previous_node && previous_node !== nodeId ? previous_node : undefined;
      return { release: () => release(lease), epoch, previous };
    },

    /** Ends the connection of a client that connected to another process. */
    takenOver(key: ConnectionKey): void {
      taken.set(key.clientId, key.epoch);
      endIfOlder(key);
    },

    /** Ends connections that were taken over while the bus was down. */
    async endTakenOver(): Promise<void> {
      const rows = await listTakenConnections(store.db, nodeId);
      for (const { client_id, node, epoch } of rows) {
        if (node !== nodeId) endIfOlder({ clientId: client_id, epoch });
      }
    },

    nodesOf: (serial: string): Promise<string[]> => listNodesOf(store.db, serial),
    start: schedule.start,

    async stop(): Promise<void> {
      schedule.stop();
      clearTimeout(flushing);
      await leaveAllConnections(store.db, nodeId).catch((error: unknown) =>
        log.debug({ err: error }, 'connections not recorded as ended, they expire'),
      );
    },
  };
}
