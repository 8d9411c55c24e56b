import { isTimely, parseClaim } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { readP256, serialProof, verifies } from './p256-key.ts';

/** A claim, with where it was found when the page asked the gateway itself. */
export type Signed = { claim: SignedClaim; from?: { url: string; name: string; isConnected: boolean } };

/** open: only the platform can tell. */
export type Check = {
  about: 'form' | 'claimer' | 'nonce' | 'time' | 'serial' | 'key' | 'binding' | 'signature';
  verdict: 'good' | 'bad' | 'open';
  /** the part of the message or the claim that was looked at */
  value: string;
};

/** What the platform will check, checked first, one thing at a time: here it can be shown, with what to do about it. */
export async function checkClaim(
  { gateway_serial: serial, public_key: publicKey, message, signature }: SignedClaim,
  claimerId: string,
  nowMs: number,
): Promise<Check[]> {
  const signed = parseClaim(message);
  const key = await readP256(publicKey);
  const isSigned = key !== undefined && (await verifies(key, message, signature));
  const ofKey: Check[] = [
    { about: 'key', verdict: key ? 'good' : 'bad', value: publicKey },
    ...(key ? [{ about: 'binding', verdict: await bindingOf(serial, key), value: serial } as const] : []),
    { about: 'signature', verdict: isSigned ? 'good' : 'bad', value: signature },
  ];
  if (!signed) return [{ about: 'form', verdict: 'bad', value: message }, ...ofKey];
  return [
    { about: 'form', verdict: 'good', value: message },
    { about: 'claimer', verdict: signed.claimerId === claimerId ? 'good' : 'bad', value: signed.claimerId },
    { about: 'nonce', verdict: 'open', value: signed.nonce },
    {
      about: 'time',
      verdict: isTimely(signed.atMs, nowMs) ? 'good' : 'bad',
      value: new Date(signed.atMs).toISOString(),
    },
    { about: 'serial', verdict: signed.serial === serial ? 'good' : 'bad', value: signed.serial },
    ...ofKey,
  ];
}

/** A serial made from the key proves itself; of another one only the platform knows which key it is bound to. */
const bindingOf = async (serial: string, key: CryptoKey): Promise<'good' | 'open'> =>
  serial.endsWith(`-${await serialProof(key)}`) ? 'good' : 'open';
