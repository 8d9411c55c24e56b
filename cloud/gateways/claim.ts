import { type ClaimMessage, claimForm, claimMinutes, isTimely, parseClaim } from '#contract/claim.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import type { Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { findGateway, findNonce, insertNonce, saveGateway } from '../store/gateways.ts';
import type { GatewayRow } from '../store/schema.ts';
import { checkBinding, type Trust } from './binding.ts';
import { type Leaving, orphan } from './orphan.ts';

export type Claim = { orgId: string; serial: string; key: PublicKey; message: string; signature: string };

export type Claimed = GatewayRow & { org_id: string; claimed_at: number };

export type Outcome = 'claimed' | 'kept' | 'transferred';

/** The gateway's signature over who claims it, made just now and never used, moves it into the organization. */
export async function claim(
  request: Claim,
  { trust, leaving }: { trust: Trust; leaving: Leaving },
  context: Context,
): Promise<{ gateway: Claimed; outcome: Outcome }> {
  const { db, now } = context;
  const signed = checkSigned(request, context);
  const known = await findGateway(db, request.serial);
  checkBinding(request.serial, request.key, known, trust);

  const signedAt = Math.floor(signed.atMs / 1000);
  if (!isTimely(signed.atMs, now)) {
    throw new Problem(
      'claim_expired',
      `The message was signed more than ${claimMinutes} minutes from now; let the gateway sign a new one.`,
    );
  }
  if (known && signedAt < known.ownership_at_s) {
    throw new Problem('claim_expired', 'The message is older than the last claim or release of this gateway.');
  }
  if (await wasUsed(request, signed, known, context)) {
    return { gateway: known as Claimed, outcome: 'kept' };
  }

  const outcome = known?.org_id === request.orgId ? 'kept' : known?.org_id ? 'transferred' : 'claimed';
  if (outcome !== 'kept') await context.checkQuota('gateways', request.orgId);
  const gateway: Claimed = {
    serial: request.serial,
    org_id: request.orgId,
    public_key: request.key.text,
    listed: known?.listed ?? 0,
    claimed_at: outcome === 'kept' ? known!.claimed_at! : now,
    ownership_at_s: signedAt,
    online: outcome === 'kept' ? known!.online : 0,
    last_seen: outcome === 'kept' ? known!.last_seen : null,
  };
  await saveGateway(db, gateway);
  await insertNonce(db, {
    serial: request.serial,
    nonce: signed.nonce,
    identity_id: context.caller.identityId,
    org_id: request.orgId,
    message: request.message,
    used_at: now,
  });
  if (outcome === 'transferred') {
    const from = known!.org_id!;
    await orphan(request.serial, from, context, leaving);
    await context.announce({ what: 'gateway', serial: request.serial });
    await audit(context, from, 'gateway.transferred_out', request.serial);
    await audit(context, request.orgId, 'gateway.transferred_in', request.serial);
  }
  if (outcome === 'claimed') {
    await context.announce({ what: 'claim', serial: request.serial });
    await audit(context, request.orgId, 'gateway.claimed', request.serial);
  }
  if (outcome === 'kept') await audit(context, request.orgId, 'gateway.claimed', request.serial, { again: true });
  return { gateway, outcome };
}

function checkSigned({ serial, key, message, signature }: Claim, { caller }: Context): ClaimMessage {
  const signed = parseClaim(message);
  if (!signed) {
    throw fieldProblem('invalid_request', 'body.message', `must be ${claimForm}`);
  }
  if (key.algorithm !== 'ES256') throw fieldProblem('invalid_request', 'body.public_key', 'must be a P-256 key');
  if (signed.claimerId !== caller.identityId)
    throw new Problem('claim_refused', 'The signed message names another claimer.');
  if (signed.serial !== serial) throw new Problem('claim_refused', 'The signed message names another gateway.');
  if (!verifySignature(key, message, signature)) {
    throw new Problem('claim_refused', 'The signature does not match the key and the message.');
  }
  return signed;
}

/** The retry of an accepted claim that still holds is no news; any other use of its nonce is a replay. */
async function wasUsed(
  request: Claim,
  signed: ClaimMessage,
  known: GatewayRow | undefined,
  { db, caller }: Context,
): Promise<boolean> {
  const used = await findNonce(db, request.serial, signed.nonce);
  if (!used) return false;
  const isRetry =
    used.message === request.message && used.identity_id === caller.identityId && used.org_id === request.orgId;
  if (isRetry && known?.org_id === request.orgId) return true;
  throw new Problem('claim_replayed', 'This signed message was used before; let the gateway sign a new one.');
}
