import { Check } from 'typebox/value';
import { Problem } from '#contract/problem.ts';
import { Serial } from '#contract/schema.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { checkBinding } from '../gateways/binding.ts';
import { audit, operator } from '../organizations/audit.ts';
import { deleteGateway, findGateway, findKnownGateway, saveGateway } from '../store/gateways.ts';
import type { GatewayRow } from '../store/schema.ts';
import type { OperatorDeps } from './identities.ts';

export type Listing = { serial: string; key: PublicKey; selfProvingPrefixes: readonly string[] };

/** Binds a serial to a key before or without its first claim. */
export async function allowGateway(
  { serial, key, selfProvingPrefixes }: Listing,
  { store, clock }: OperatorDeps,
): Promise<GatewayRow> {
  if (!Check(Serial, serial))
    throw new Problem('invalid_request', 'A serial has 3 to 64 characters, each of A-Z, a-z, 0-9, _, : or -.');
  return store.write(async ({ db }) => {
    const known = await findGateway(db, serial);
    checkBinding(serial, key, known, { mode: 'first-claim', selfProvingPrefixes });
    if (known?.listed === 1) return known;

    const gateway: GatewayRow = { ...(known ?? unclaimed(serial, key)), listed: 1 };
    await saveGateway(db, gateway);
    const change = { db, now: clock.now(), caller: operator };
    if (gateway.org_id !== null) await audit(change, gateway.org_id, 'gateway.listed', serial);
    return gateway;
  });
}

/** Unbinds a serial from its key. Used claims cannot be used again. */
export const forgetGateway = (serial: string, { store }: Pick<OperatorDeps, 'store'>): Promise<void> =>
  store.write(async ({ db }) => {
    const gateway = await findKnownGateway(db, serial);
    if (!gateway) throw new Problem('not_found', `There is no gateway ${serial}.`);
    if (gateway.org_id !== null) {
      throw new Problem('conflict', `The gateway ${serial} belongs to ${gateway.org_id}; it must be released first.`);
    }
    if (gateway.device_count > 0) {
      const devices = gateway.device_count === 1 ? 'a device' : `${gateway.device_count} devices`;
      throw new Problem('conflict', `The gateway ${serial} still has ${devices} of a former owner.`);
    }
    await deleteGateway(db, serial);
  });

const unclaimed = (serial: string, key: PublicKey): GatewayRow => ({
  serial,
  org_id: null,
  public_key: key.text,
  listed: 0,
  claimed_at: null,
  ownership_at_s: 0,
  token_audience_at: null,
  version: null,
  online: 0,
  last_seen: null,
});
