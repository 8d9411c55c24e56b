/** A connection to a broker, until it ends. */
export type Session = {
  /** `done` hears of the broker's acknowledgement, or that there will be none. */
  publish(topic: string, payload: string, qos: 0 | 1, done?: (error?: Error) => void): void;
  ended: Promise<void>;
  /** Leaves in order, so that the last will is not told. */
  end(): Promise<void>;
};
