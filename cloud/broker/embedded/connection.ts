import type { Duplex } from 'node:stream';
import type { Client as MqttClient } from 'aedes';
import type { Client } from '../transport.ts';
import type { Owner } from './owners.ts';

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
