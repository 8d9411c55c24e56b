export type BrokerLimits = typeof defaultLimits;

export const defaultLimits = {
  packetBytes: 256 * 1024,
  subscriptions: 50, // of one connection
  connectMs: 5000, // deadline of the CONNECT packet after connecting
  loginMs: 20_000, // deadline of the login after CONNECT, within which clients wait for an answer
  loginsAtOnce: 32, // checked at the same time; more would wait for the connections to the database
  messagesPerSecond: 2000, // of one gateway, over all its connections
  unstored: 256, // messages of one gateway at which its connections are paused
  queuedBytes: 1024 * 1024, // buffer of a slow subscriber; further messages are dropped
  stalledMs: 10_000, // how long a subscriber may read nothing
  connectionsPerAddress: 20_000,
  connectionsPerGateway: 16,
  connectionsPerMember: 200,
  connectsPerMinute: 60_000,
};

/** Returns the weight of a message: 1 for every 4 kB begun, so that large messages count more. */
export const weightOf = (payload: Uint8Array): number => 1 + Math.floor(payload.length / 4096);
