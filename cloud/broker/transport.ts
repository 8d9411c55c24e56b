import type { SharedSpending } from '#lib/rate-limit.ts';

export type BrokerClient =
  | { kind: 'gateway'; serial: string }
  | { kind: 'member'; identityId: string; tokenId: string; orgIds: readonly string[] | 'every' };

export type Admitted = {
  client: BrokerClient;
  expiresAt: number;
};

export type Login = { clientId: string; username: string; password: string; address: string };

/** Authorizes connections, publications and subscriptions. Denies when in doubt. */
export type Admission = {
  /** Returns what gateways are sent when they subscribe: the deployment id, which they name in their tokens, and our keys. */
  platformMessage(): string;
  login(login: Login): Promise<Admitted | undefined>;
  mayPublish(client: BrokerClient, topic: string): boolean;
  maySubscribe(client: BrokerClient, filter: string): boolean;
  /** Reads the client again: a member may have joined organizations since the login. */
  renew(client: BrokerClient): Promise<BrokerClient>;
};

/** Tells the other processes of a platform about the clients of this one. */
export type Registrar = {
  /**
   * Registers a client that logged in; `end` ends its connection, when the client connects to another process. Returns a
   * function that unregisters it.
   */
  register(clientId: string, admitted: Admitted, end: () => void): Promise<() => void>;
  /** Registers a subscription to an organization, or to all of them. Returns a function that unregisters it. */
  subscribe(organization: string): Promise<() => void>;
  /** Reports messages of an owner, which count in every process. */
  spent(owner: string, weight: number): void;
};

export type NamedClients =
  | { serial: string }
  /** a member, or only the connections that one token of theirs opened */
  | { identityId: string; tokenId?: string | undefined }
  | { members: 'all' };

export type Message = { topic: string; payload: Uint8Array };

export type TransportEvents = {
  /**
   * Handles a message, which is acknowledged when this resolves. Never rejects because of the message itself. Returns
   * whether anything was written: a dropped message does not prove that the store works.
   */
  message(message: Message): Promise<boolean>;
  /** Reports that a gateway connected or disconnected, if the broker knows. */
  presence(serial: string, isConnected: boolean): void;
};

/**
 * Carries messages between gateways, the platform and members. Every implementation acknowledges a gateway's message only
 * after it is stored, and delivers it at least once.
 */
export type Transport = {
  start(events: TransportEvents): Promise<void>;
  /** whether it was started and is connected to the broker */
  readonly isUp: boolean;
  /** Returns whether anybody may receive what is published to a topic; if not, it need not be published. */
  isWanted(topic: string): boolean;
  /** whether a message can be published now */
  readonly canPublish: boolean;
  /** Publishes to subscribers, at most once, never retained. Returns whether it was sent. */
  publish(topic: string, payload: string): boolean;
  /** Ends the connections of a gateway, a member or all members, in every process. */
  disconnect(named: NamedClients): Promise<void>;
  /** addresses for clients, known after the start */
  readonly urls: { mqtt?: string; websocket?: string; mqtts?: string };
  /** the number of gateways connected to this process, if the broker knows */
  readonly connectedGateways?: number;
  /** set if the platform has several processes */
  readonly shared?: SharedBroker;
  /** Accepts no more clients, and ends the connections of the others in portions over this time. */
  drain(overMs: number): Promise<void>;
  close(): Promise<void>;
};

/** An accepted login; `tokenId` if the token can be revoked individually. */
export type AcceptedLogin = { username: string; clientId: string; expiresAt: number; tokenId?: string };

export type SharedBroker = {
  /** Listens to a topic, published to by any process of the platform. Returns a function that stops it. */
  watch(topic: string, listener: (payload: string) => void): Promise<() => void>;
  /** Calls back when messages of other processes may have been missed, after a connection was lost for example. */
  onMissed(listener: () => void): unknown;
  /** Shares what callers spent of their budgets. */
  spending: SharedSpending;
  /** With a broker of the operator: call this for each accepted login, so that the connection ends with its token. */
  admitted?(login: AcceptedLogin): void;
  /** Returns the counters of this process since its start; messages become dead letters only with a broker of the operator. */
  figures(): { published: number; dropped: number; poisoned?: number };
};
