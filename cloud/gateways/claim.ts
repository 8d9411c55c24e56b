import { type ClaimMessage, claimForm, claimMinutes, isTimely, parseClaim } from '#contract/claim.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import type { Context } from '../access/door.ts';
import { releaseGateway, type SendRelease } from '../commands/release.ts';
import { audit } from '../organizations/audit.ts';
import { updatingCellCounts } from '../store/cells.ts';
import { listGatewayDevices, orphanDevices } from '../store/devices.ts';
import { deleteNonces, findGateway, findNonce, insertNonce, saveGateway } from '../store/gateways.ts';
import type { ClaimNonceRow, GatewayRow } from '../store/schema.ts';
import { checkBinding, type Trust } from './binding.ts';

export type Claim = { orgId: string; serial: string; key: PublicKey; message: string; signature: string };

export type Claimed = GatewayRow & { org_id: string; claimed_at: number };

export type Outcome = 'claimed' | 'kept' | 'transferred';

// Longer than a message is accepted, even if the platform clock is set back by up to two hours.
const nonceRetentionMs = 3 * hourMs;

/** Moves a gateway into an organization, given its fresh and unused signature over the claimer. */
export async function claim(
  request: Claim,
  { trust, leaving }: { trust: Trust; leaving: Leaving },
  context: Context,
): Promise<{ gateway: Claimed; outcome: Outcome }> {
  const { db, now } = context;
  const signed = checkSigned(request, context);
  const known = await findGateway(db, request.serial);
  checkBinding(request.serial, request.key, known, trust);

  const used = await findNonce(db, request.serial, signed.nonce);
  const repeated = used && known && repeatedClaim(request, signed, used, known, context);
  if (repeated) return { gateway: repeated, outcome: 'kept' };
  if (!isTimely(signed.atMs, now)) {
    throw new Problem(
      'claim_expired',
      `The message was signed more than ${claimMinutes} minutes from now; let the gateway sign a new one.`,
    );
  }
  if (known && isOlderThanOwnership(signed, known, now)) {
    throw new Problem('claim_expired', 'The message is older than the last claim or release of this gateway.');
  }
  if (used) {
    throw new Problem('claim_replayed', 'This signed message was used before; let the gateway sign a new one.');
  }

  const from = known?.org_id ?? undefined;
  const kept = known?.org_id === request.orgId ? known : undefined;
  const outcome: Outcome = kept ? 'kept' : from ? 'transferred' : 'claimed';
  if (!kept) await context.checkQuota('gateways', request.orgId);
  const gateway: Claimed = {
    serial: request.serial,
    org_id: request.orgId,
    public_key: request.key.text,
    listed: known?.listed ?? 0,
    claimed_at: kept?.claimed_at ?? now,
    ownership_at_s: ownershipAt(signed, now),
    token_audience_at: known?.token_audience_at ?? null,
    version: known?.version ?? null,
    online: kept?.online ?? 0,
    last_seen: kept?.last_seen ?? null,
  };
  await saveGateway(db, gateway);
  if (kept) {
    // The first nonce of an owner stays: it records to whom earlier readings belong.
    await deleteNonces(db, request.serial, gateway.claimed_at, now - nonceRetentionMs);
  }
  await insertNonce(db, {
    serial: request.serial,
    nonce: signed.nonce,
    identity_id: context.caller.identityId,
    org_id: request.orgId,
    message: request.message,
    used_at: now,
  });
  if (from && !kept) {
    await orphan(request.serial, from, context, leaving);
    await context.announce({ what: 'gateway', serial: request.serial });
    await audit(context, from, 'gateway.transferred_out', request.serial);
    await audit(context, request.orgId, 'gateway.transferred_in', request.serial);
  } else {
    if (!kept) await context.announce({ what: 'claim', serial: request.serial });
    await audit(context, request.orgId, 'gateway.claimed', request.serial, kept && { again: true });
  }
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

/** Returns the time of ownership in seconds: by the gateway's clock, but never in the future, or nobody could claim it until then. */
const ownershipAt = ({ atMs }: ClaimMessage, now: number): number => Math.floor(Math.min(atMs, now) / 1000);

/** Returns whether a message is older than the last claim or release. A time in the future came from a wrong clock and is ignored. */
const isOlderThanOwnership = (signed: ClaimMessage, { ownership_at_s }: GatewayRow, now: number): boolean =>
  Math.floor(signed.atMs / 1000) < ownership_at_s && ownership_at_s * 1000 <= now;

/** Returns the gateway if this is a retry of the last accepted claim by the same caller for the same organization. */
function repeatedClaim(
  { message, orgId }: Claim,
  signed: ClaimMessage,
  used: ClaimNonceRow,
  known: GatewayRow,
  { caller }: Context,
): Claimed | undefined {
  const { org_id, claimed_at, ownership_at_s } = known;
  const isSame = used.message === message && used.identity_id === caller.identityId && used.org_id === orgId;
  if (!isSame || org_id !== orgId || claimed_at === null || claimed_at > used.used_at) return undefined;
  return ownership_at_s === ownershipAt(signed, used.used_at) ? { ...known, org_id, claimed_at } : undefined;
}

export type Leaving = {
  sendRelease: SendRelease;
  withdrawPlan(context: Context, serial: string): Promise<void>;
  onOrphaned(device: { id: string; site_id: string }): void;
};

/** Releases and orphans the devices of a gateway that left. They stay readable in its old organization, without new data. */
export async function orphan(serial: string, orgId: string, context: Context, leaving: Leaving): Promise<void> {
  const { db } = context;
  await leaving.withdrawPlan(context, serial); // while the gateway is still connected
  await releaseGateway(serial, orgId, context, leaving.sendRelease);
  const devices = await listGatewayDevices(db, serial, orgId);
  const siteIds = [...new Set(devices.map(({ site_id }) => site_id))];
  await updatingCellCounts(db, siteIds, () => orphanDevices(db, serial, orgId));
  context.afterCommit(() => devices.forEach(leaving.onOrphaned));
}
