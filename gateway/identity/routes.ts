import * as contract from '#contract/gateway/identity.ts';
import type { LocalMount } from '../access/door.ts';
import type { Identity } from './identity.ts';
import type { Signing } from './signing.ts';

export type IdentityDeps = { identity: Pick<Identity, 'serial' | 'publicKeyHex'>; signing: Signing; name: string };

export function identityRoutes(mount: LocalMount, { identity, signing, name }: IdentityDeps): void {
  mount(contract.getCrypto, () => ({
    deviceName: name,
    serialNumber: identity.serial,
    publicKey: identity.publicKeyHex,
  }));

  mount(contract.signWallet, ({ body, now, from }) => signing.signWallet(body.wallet, { now, from }));

  mount(contract.signMessage, ({ body, now, from }) => signing.signMessage(body, { now, from }));

  mount(contract.listSignatures, () => ({ signatures: signing.list() }));
}
