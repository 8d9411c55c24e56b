import { parseTime } from './time.ts';

/** What a gateway signs to be claimed: <claimer_id>|<nonce>|<timestamp>|<gateway_serial>. */
export type ClaimMessage = { claimerId: string; nonce: string; atMs: number; serial: string };

/** Undefined when the text is not of the form. */
export function parseClaim(message: string): ClaimMessage | undefined {
  const parts = message.split('|');
  const [claimerId, nonce, timestamp, serial] = parts;
  if (parts.length !== 4 || !claimerId || !nonce || !timestamp || !serial) return undefined;
  const atMs = parseTime(timestamp);
  return atMs === undefined ? undefined : { claimerId, nonce, atMs, serial };
}
