import { claimMinutes, isTimely, parseClaim } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { getCrypto, signMessage } from '#contract/gateway/identity.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { parsePublicKey, serialProof } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import type { LocalGateway } from './gateway-address.ts';

export type GatewayIdentity = {
  serial: string;
  publicKey: string;
  name: string;
  /** the broker that it is signed in to; brokers admit no gateway that nobody has claimed */
  connectedTo: string | undefined;
};

export async function askIdentity({ api }: LocalGateway): Promise<GatewayIdentity> {
  const { serialNumber: serial, publicKey, deviceName } = await api.call(getCrypto);
  const { gateway_info } = await api.call(getSystem);
  const name: string = gateway_info?.name ?? deviceName; // gateways before 0.2 have no display name
  const { uplink } = await api.call(getStatus);
  return { serial, publicKey, name, connectedTo: uplink.connected ? (uplink.broker ?? 'a broker') : undefined };
}

export async function askSignature(
  { api }: LocalGateway,
  { serial, publicKey }: GatewayIdentity,
  claimerId: string,
): Promise<SignedClaim> {
  const { sign, message } = await api.call(signMessage, { body: { message: claimerId } });
  return { gateway_serial: serial, public_key: publicKey, message, signature: sign };
}

/** Whether the serial is made from the key, so that no other key can ever have it. */
export const provesItself = (serial: string, publicKey: string): boolean =>
  serial.endsWith(`-${serialProof(parsePublicKey(publicKey))}`);

/** What the platform will check, checked first: here it can be told what to do about it. */
export function checkSigned(claim: SignedClaim, claimerId: string, clock: Clock): void {
  const signed = parseClaim(claim.message);
  if (!signed) throw refused('The message is not <your identity id>|<nonce>|<time>|<serial>.');
  if (signed.claimerId !== claimerId) {
    throw refused(`The message names ${signed.claimerId}, and you are ${claimerId}; let the gateway sign for you.`);
  }
  if (signed.serial !== claim.gateway_serial) {
    throw refused(`The message is of the gateway ${signed.serial}, not of ${claim.gateway_serial}.`);
  }
  if (!verifySignature(parsePublicKey(claim.public_key), claim.message, claim.signature)) {
    throw refused('The signature is not by this key over this message.');
  }
  const now = clock.now();
  if (!isTimely(signed.atMs, now)) {
    const minutes = Math.round(Math.abs(now - signed.atMs) / minuteMs);
    throw refused(
      `The message was signed ${minutes} minutes from now, and at most ${claimMinutes} are allowed: let the gateway sign again, and look at the clocks of both machines.`,
    );
  }
}

const refused = (sentence: string): Problem => new Problem('claim_refused', sentence);
