import type { SignedGatewayClaim } from '../gateways/check-claim.ts';

/** Reads the claim that the page of a gateway put into the fragment of a link to this page. */
export function readHandover(hash: string): SignedGatewayClaim | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const [gateway_serial, public_key, message, signature] = ['serial', 'key', 'message', 'signature'].map((name) =>
    given.get(name),
  );
  if (!gateway_serial || !public_key || !message || !signature) return undefined;
  const from = { url: '', name: given.get('name') || gateway_serial, isConnected: given.has('connected') };
  return { claim: { gateway_serial, public_key, message, signature }, from };
}
