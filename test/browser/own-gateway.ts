import { randomBytes } from 'node:crypto';
import { composeClaim } from '#contract/claim.ts';
import type { Ohmstead } from '#contract/client/connect.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { formatTime } from '#contract/time.ts';
import { type GatewaySigner, p256 } from '../cloud/people.ts';

/** A gateway that consists of its key, claimed into an organization. */
export async function claimOwnGateway(api: Ohmstead, org_id: string): Promise<GatewaySigner> {
  const signer = p256();
  const nonce = randomBytes(6).toString('hex');
  const message = composeClaim({
    claimerId: api.identityId,
    nonce,
    timestamp: formatTime(Date.now()),
    serial: signer.serial,
  });
  const body = {
    org_id,
    gateway_serial: signer.serial,
    public_key: signer.publicKey,
    message,
    signature: signer.sign(message),
  };
  await api.call(claimGateway, { body });
  return signer;
}
