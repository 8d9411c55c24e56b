import { minuteMs, parseTime } from './time.ts';

/** The message that a gateway signs to be claimed. */
export const claimForm = '<claimer_id>|<nonce>|<timestamp>|<gateway_serial>';

export type ClaimMessage = { claimerId: string; nonce: string; atMs: number; serial: string };

export function parseClaim(message: string): ClaimMessage | undefined {
  const parts = message.split('|');
  const [claimerId, nonce, timestamp, serial] = parts;
  if (parts.length !== 4 || !claimerId || !nonce || !timestamp || !serial) return undefined;
  const atMs = parseTime(timestamp);
  return atMs === undefined ? undefined : { claimerId, nonce, atMs, serial };
}

type ClaimParts = { claimerId?: string | undefined; nonce: string; timestamp: string; serial: string };

/** Composes the message. Without a claimer it is a plain signed message and not a valid claim. */
export const composeClaim = ({ claimerId, nonce, timestamp, serial }: ClaimParts): string =>
  [...(claimerId ? [claimerId] : []), nonce, timestamp, serial].join('|');

/** Allowed difference between the time of a claim and the server's clock, either way. */
export const claimMinutes = 10;

export const isTimely = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) <= claimMinutes * minuteMs;
