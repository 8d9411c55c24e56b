import type { Part } from '../profiles/control/control-profile.ts';

/** What becomes of a command. */
export type Status = 'queued' | 'applied' | 'failed' | 'expired' | 'released';

/** `take` takes control without a set point; it makes way for the first one. */
export type Subject = Part | 'take';

/** A set point with its lease. */
export type Command = {
  subject: Subject;
  power_w: number;
  id: string | undefined;
  origin: 'local' | 'cloud';
  /** where what becomes of it is told */
  ackTopic?: string;
  /** ms since the epoch, by the clock of whoever issued it */
  issuedAt: number;
  /** ms on the monotonic clock */
  endsAt: number;
};

export type Said = { status: Status; message?: string };

/** What is said of a command whose time is over when it comes, or when its turn comes. */
export const cameLate = 'It came after its time.';
export const endedWaiting = 'Its time was over before it could be applied.';

/** A command as it is asked for; its lease begins when it is accepted. */
export type AskedCommand = Omit<Command, 'endsAt'> & { ttlMs: number };

/** Clocks differ by so much at most: what was issued later than that from now was issued by a clock that was wrong. */
export const futureMs = 600_000;
