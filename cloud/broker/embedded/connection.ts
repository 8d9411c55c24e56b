import type { Duplex } from 'node:stream';
import type { Client as MqttClient } from 'aedes';
import type { Client } from '../transport.ts';

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
  /** who it is, once it is logged in */
  client: Client | undefined;
  /** when it has to be logged in, then when its login ends, ms */
  expiresAt: number;
  isReady: boolean;
  /** weight of its messages that are not stored yet */
  unstored: number;
  /** when its next message is due if it keeps to its rate, ms */
  dueAt: number;
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
  client: undefined,
  expiresAt,
  isReady: false,
  unstored: 0,
  dueAt: 0,
  queued: 0,
  queuedTurn: -1,
  missed: 0,
});
