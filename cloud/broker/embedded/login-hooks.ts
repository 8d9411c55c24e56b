import { randomUUID } from 'node:crypto';
import type { AedesOptions } from 'aedes';
import type { Admission } from '../transport.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

type LoginHooks = Required<Pick<AedesOptions, 'preConnect' | 'authenticate'>>;

type LoginDeps = { admission: Admission; connections: Connections };

/** What aedes asks us when a client connects. */
export function loginHooks({ admission, connections }: LoginDeps): LoginHooks {
  async function isAdmitted(connection: Connection): Promise<boolean> {
    const { clientId, username, password, address, willTopic } = connection;
    connection.password = '';
    const admitted = await admission.login({ clientId, username, password, address });
    if (!admitted) return false;
    if (willTopic !== undefined && !admission.mayPublish(admitted.client, willTopic)) return false;
    connection.client = admitted.client;
    connection.expiresAt = admitted.expiresAt;
    return true;
  }

  return {
    preConnect(mqtt, packet, done) {
      const connection = connections.of(mqtt)!;
      packet.clientId ||= randomUUID(); // who has none gets one of their own (MQTT 3.1.1, 3.1.3.1)
      connection.clientId = packet.clientId;
      connection.username = packet.username ?? '';
      connection.password = packet.password?.toString() ?? '';
      delete packet.password; // aedes keeps the packet as long as the connection
      connection.willTopic = packet.will?.topic;
      if (packet.will) packet.will.retain = false;
      // Nothing is kept for a client that is away: a command must not be carried out later.
      packet.clean = true;
      // A client id belongs to who uses it, so nobody can take over or block another's connection with it.
      packet.clientId = `${connection.username}/${packet.clientId}`;
      done(null, true);
    },

    authenticate(mqtt, _username, _password, done) {
      isAdmitted(connections.of(mqtt)!).then(
        (admitted) => done(null, admitted),
        () => done(null, false),
      );
    },
  };
}
