import type { Duplex } from 'node:stream';
import type { Client as MqttClient } from 'aedes';
import type { Client } from '../transport.ts';

/** State that all connections of one gateway, or of one member, share: more connections do not raise a limit. */
export type Owner = {
  readonly name: string;
  readonly connections: Set<Connection>;
  /** when the next message is due at the permitted rate, in ms of `performance.now()` */
  dueAt: number;
  /** weight of the messages that are not stored yet */
  unstored: number;
};

/** One client at the broker, from its first byte to its last. */
export type Connection = {
  readonly mqtt: MqttClient;
  readonly stream: Duplex;
  readonly address: string;
  clientId: string;
  username: string;
  /** until the login is checked */
  password: string;
  willTopic: string | undefined;
  isIdRejected: boolean;
  /** who it is, once it is logged in */
  client: Client | undefined;
  /** when it has to be logged in, then when its login ends, ms */
  expiresAt: number;
  isReady: boolean;
  /** what it shares with the other connections of the same client, once it is logged in */
  owner: Owner | undefined;
  /** Reads on after it was held up. */
  resume(): void;
  /** bytes on their way to it, as of a turn of the event loop */
  queued: number;
  queuedTurn: number;
  /** messages it did not get because it reads too slowly */
  missed: number;
};

type Opened = Pick<Connection, 'mqtt' | 'stream' | 'address' | 'expiresAt'>;

export const newConnection = ({ mqtt, stream, address, expiresAt }: Opened): Connection => ({
  mqtt,
  stream,
  address,
  clientId: '',
  username: '',
  password: '',
  willTopic: undefined,
  isIdRejected: false,
  client: undefined,
  expiresAt,
  isReady: false,
  owner: undefined,
  resume() {},
  queued: 0,
  queuedTurn: -1,
  missed: 0,
});
