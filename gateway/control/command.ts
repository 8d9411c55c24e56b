import type { Part } from '../profiles/control/control-profile.ts';

export type CommandStatus = { status: 'queued' | 'applied' | 'failed' | 'expired' | 'released'; message?: string };

/** `take` takes control without a setpoint; the first setpoint replaces it. */
export type Subject = Part | 'take';

/** A setpoint with its lease. */
export type Command = {
  subject: Subject;
  power_w: number;
  id: string | undefined;
  /** a local command outranks one of the platform, and a person's command outranks a plan */
  origin: 'local' | 'cloud' | 'plan';
  /** topic that its statuses are published on */
  ackTopic?: string;
  /** ms since the epoch, by the clock of the sender */
  issuedAt: number;
  /** ms on the monotonic clock */
  endsAt: number;
};

/** A command before it is accepted, which is when its lease begins. */
export type CommandRequest = Omit<Command, 'endsAt'> & { ttlMs: number };

export const expiredOnArrival = 'The command had expired when it arrived.';
export const expiredWhileQueued = 'The command expired before it could be applied.';

/** A command issued further in the future than this came from a clock that was wrong. */
export const maxClockSkewMs = 600_000;
