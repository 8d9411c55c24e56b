export type BrokerLimits = {
  packetBytes: number;
  /** subscriptions of one connection */
  subscriptions: number;
  /** how long a client may take until it is logged in, ms */
  connectMs: number;
  /** of one gateway, on all its connections together */
  messagesPerSecond: number;
  /** messages of one gateway that wait to be stored before no more are read from any of its connections */
  unstored: number;
  /** what may wait for a subscriber that reads slowly; the rest it misses */
  queuedBytes: number;
  /** how long a subscriber may not read at all, ms */
  stalledMs: number;
  connectionsPerAddress: number;
  connectionsPerGateway: number;
  connectionsPerMember: number;
  connectsPerMinute: number;
};

export const defaultLimits: BrokerLimits = {
  packetBytes: 256 * 1024,
  subscriptions: 50,
  connectMs: 5000,
  messagesPerSecond: 2000,
  unstored: 256,
  queuedBytes: 1024 * 1024,
  stalledMs: 10_000,
  connectionsPerAddress: 20_000,
  connectionsPerGateway: 16,
  connectionsPerMember: 200,
  connectsPerMinute: 60_000,
};

/** A message counts once for every 4 kB it begins, so that large ones use up limits meant for small ones. */
export const weightOf = (payload: Uint8Array): number => 1 + Math.floor(payload.length / 4096);
