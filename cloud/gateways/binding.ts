import { Problem } from '#contract/problem.ts';

import { type PublicKey, serialProof } from '#lib/keys/public-key.ts';
import type { GatewayRow } from '../store/schema.ts';

export type Trust = { mode: 'first-claim' | 'listed'; selfProvingPrefixes: readonly string[] };

/** Returns whether a serial must match its key, as those of our own gateways do. */
export const isSelfProving = (serial: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => serial.startsWith(`${prefix}-`));

const refused = (sentence: string): Problem => new Problem('claim_refused', sentence);

/** Checks that a serial belongs to a key: the one its digits name, the one of its first claim, or an allow-listed one. */
export function checkBinding(serial: string, key: PublicKey, known: GatewayRow | undefined, trust: Trust): void {
  const proof = serialProof(key);
  const mustProve = isSelfProving(serial, trust.selfProvingPrefixes);
  const provesItself = serial.endsWith(`-${proof}`);
  if (mustProve && !trust.selfProvingPrefixes.some((prefix) => serial === `${prefix}-${proof}`)) {
    throw refused('The serial does not belong to this key.');
  }
  if (known && known.public_key !== key.text) throw refused('The serial is bound to another key.');
  if (!known && !provesItself && trust.mode === 'listed') {
    throw refused('The operator has not listed the key of this gateway.');
  }
}
