import { minuteMs, parseTime } from './time.ts';

/** What a gateway signs to be claimed. */
export const claimForm = '<claimer_id>|<nonce>|<timestamp>|<gateway_serial>';

export type ClaimMessage = { claimerId: string; nonce: string; atMs: number; serial: string };

/** Undefined when the text is not of the form. */
export function parseClaim(message: string): ClaimMessage | undefined {
  const parts = message.split('|');
  const [claimerId, nonce, timestamp, serial] = parts;
  if (parts.length !== 4 || !claimerId || !nonce || !timestamp || !serial) return undefined;
  const atMs = parseTime(timestamp);
  return atMs === undefined ? undefined : { claimerId, nonce, atMs, serial };
}

type ClaimParts = { claimerId?: string | undefined; nonce: string; timestamp: string; serial: string };

/** Without a claimer, as a gateway signs when it is told none, it is no claim. */
export const composeClaim = ({ claimerId, nonce, timestamp, serial }: ClaimParts): string =>
  [...(claimerId ? [claimerId] : []), nonce, timestamp, serial].join('|');

/** How far the time of a claim may be from now, before and after. */
export const claimMinutes = 10;

export const isTimely = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) <= claimMinutes * minuteMs;
