import { Problem } from '#contract/problem.ts';

import { type PublicKey, serialProof } from '#lib/keys/public-key.ts';
import type { GatewayRow } from '../store/schema.ts';

export type Trust = { mode: 'first-claim' | 'listed'; selfProvingPrefixes: readonly string[] };

/** Whether the serial must match its key: those of our own gateways do. */
export const isSelfProving = (serial: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => serial.startsWith(`${prefix}-`));

const refused = (sentence: string): Problem => new Problem('claim_refused', sentence);

/** A serial belongs to one key: the one its own digits name, the one it was first claimed with, or an allow-listed one. */
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
