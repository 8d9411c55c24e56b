import { composeClaim } from '#contract/claim.ts';
import { createClient } from '#contract/client.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { registerIdentity } from '#contract/cloud/identity.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';
import { signIn } from '../cloud-server.ts';

/** Creates a claimed gateway with the meters M0, M1, …, and returns its environment. */
export async function enrolHome(baseUrl: string, meters: number): Promise<{ SERIAL: string; KEY: string }> {
  const owner = ed25519();
  const { identity_id } = await createClient({ baseUrl }).call(registerIdentity, {
    body: { public_key: owner.publicKey },
  });
  const api = createClient({ baseUrl, token: await signIn(baseUrl, owner) });
  const { id: org_id } = await api.call(createOrganization, { body: { name: 'Home' } });
  const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'Home' } });
  const { serial: gateway_serial, publicKey: public_key, sign, privateKey } = p256();
  const message = composeClaim({
    claimerId: identity_id,
    nonce: 'bench',
    timestamp: String(Date.now()),
    serial: gateway_serial,
  });
  await api.call(claimGateway, { body: { org_id, gateway_serial, public_key, message, signature: sign(message) } });
  for (let meter = 0; meter < meters; meter++) {
    const ders = [{ name: 'meter', type: 'meter' as const }];
    const body = { gateway_serial, site_id, hardware_id: `M${meter}`, device_type: 'energy_meter' as const, ders };
    await api.call(provisionDevice, { body });
  }
  return { SERIAL: gateway_serial, KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
