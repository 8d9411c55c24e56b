import { randomUUID } from 'node:crypto';
import type { AedesOptions, AuthenticateError } from 'aedes';
import { isMember } from '../client-id.ts';
import type { Admission } from '../transport.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

type LoginHooks = Required<Pick<AedesOptions, 'preConnect' | 'authenticate'>>;

type LoginDeps = { admission: Admission; connections: Connections };

// MQTT 3.1.1, 3.2.2.3
const returnCode = { idRejected: 2, unavailable: 3, notAuthorized: 5 } as const;

const refusal = (message: string, code: number): AuthenticateError =>
  Object.assign(new Error(message), { returnCode: code });

/** The client id of a client that sent none (MQTT 3.1.1, 3.1.3-6). Gateways name themselves, so theirs fits no serial. */
const assignedId = (username: string): string => (isMember(username) ? `${username}-${randomUUID()}` : randomUUID());

/** What aedes asks us when a client connects. */
export function loginHooks({ admission, connections }: LoginDeps): LoginHooks {
  async function logIn(connection: Connection): Promise<void> {
    const { clientId, username, password, address, willTopic } = connection;
    connection.password = '';
    if (connection.isIdRejected) throw refusal('no client id without a clean session', returnCode.idRejected);
    const admitted = await admission.login({ clientId, username, password, address });
    if (!admitted) throw refusal('not authorized', returnCode.notAuthorized);
    if (willTopic !== undefined && !admission.mayPublish(admitted.client, willTopic))
      throw refusal('no right to publish the will', returnCode.notAuthorized);
    if (!connections.logIn(connection, admitted)) throw refusal('too many connections', returnCode.unavailable);
  }

  return {
    preConnect(mqtt, packet, done) {
      const connection = connections.of(mqtt)!;
      connection.isIdRejected = packet.clientId === '' && !packet.clean; // MQTT 3.1.1, 3.1.3-8
      connection.username = packet.username ?? '';
      connection.clientId = packet.clientId || assignedId(connection.username);
      connection.password = packet.password?.toString() ?? '';
      delete packet.password; // aedes keeps the packet as long as the connection
      connection.willTopic = packet.will?.topic;
      if (packet.will) packet.will.retain = false;
      // Nothing is kept for a client that is away: a command must not be carried out later.
      packet.clean = true;
      // A client id belongs to who uses it, so nobody can take over or block another's connection with it.
      packet.clientId = `${connection.username}/${connection.clientId}`;
      done(null, true);
    },

    authenticate(mqtt, _username, _password, done) {
      logIn(connections.of(mqtt)!).then(
        () => done(null, true),
        (error) => done(error, false),
      );
    },
  };
}
