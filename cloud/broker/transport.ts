/** Who is at the other end of a connection. */
export type BrokerClient =
  | { kind: 'gateway'; serial: string }
  | { kind: 'member'; identityId: string; tokenId: string; orgIds: readonly string[] | 'every' };

export type Admitted = {
  client: BrokerClient;
  /** when the connection ends, ms */
  expiresAt: number;
};

export type Login = { clientId: string; username: string; password: string; address: string };

/** Who may connect, publish and subscribe. Denies when in doubt. */
export type Admission = {
  /** sent to gateways, which name it in their tokens */
  readonly deploymentId: string;
  login(login: Login): Promise<Admitted | undefined>;
  mayPublish(client: BrokerClient, topic: string): boolean;
  maySubscribe(client: BrokerClient, filter: string): boolean;
  /** The client as it is by now: a member may have joined organizations since the login. */
  renew(client: BrokerClient): Promise<BrokerClient>;
};

export type NamedClients =
  | { serial: string }
  /** a member, or only the connections that one token of theirs opened */
  | { identityId: string; tokenId?: string | undefined }
  | { members: 'all' };

/** What a gateway published. */
export type Message = { topic: string; payload: Uint8Array };

export type TransportEvents = {
  /**
   * Acknowledged upstream when it resolves; never rejects for what the sender did wrong. Tells whether anything was
   * written for it: what is dropped does not show that the store works.
   */
  message(message: Message): Promise<boolean>;
  /** A gateway's connection came or went, where the broker tells. */
  presence(serial: string, isConnected: boolean): void;
};

/**
 * How messages travel between gateways, the platform and members. The same promise everywhere: a message is
 * acknowledged upstream only after it is stored, and is delivered at least once.
 */
export type Transport = {
  start(events: TransportEvents): Promise<void>;
  /** Messages travel: it was started, and the broker is reached. */
  readonly isUp: boolean;
  /** Somebody but the gateways may listen; without them, what is for members need not be published. */
  readonly hasSubscribers: boolean;
  /** What is published now goes out. */
  readonly canPublish: boolean;
  /** To whoever subscribes, at most once, never retained. Tells whether it went out. */
  publish(topic: string, payload: string): boolean;
  /** Everything published to the topic, by any process of the platform; for viewers on this one. */
  watch(topic: string, listener: (payload: string) => void): Promise<() => void>;
  /** Ends the connections of a gateway, a member or all members at once, wherever they are. */
  disconnect(named: NamedClients): Promise<void>;
  /** Where clients connect; told at start. */
  readonly urls: { mqtt?: string; websocket?: string; mqtts?: string };
  close(): Promise<void>;
};
