export type BrokerLimits = {
  packetBytes: number;
  /** subscriptions of one connection */
  subscriptions: number;
  /** deadline of the login after connecting, ms */
  connectMs: number;
  /** of one gateway, over all its connections */
  messagesPerSecond: number;
  /** unstored messages of one gateway at which its connections are paused */
  unstored: number;
  /** buffer of a slow subscriber; further messages are dropped */
  queuedBytes: number;
  /** how long a subscriber may read nothing, ms */
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

/** Returns the weight of a message: 1 for every 4 kB begun, so that large messages count more. */
export const weightOf = (payload: Uint8Array): number => 1 + Math.floor(payload.length / 4096);
