import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { composeClaim } from '#contract/claim.ts';
import { connect } from '#contract/client/connect.ts';
import { keyFromPem, makeKey, type SigningKey } from '#contract/client/key.ts';
import { claimGateway, listGateways } from '#contract/cloud/gateways.ts';
import { createOrganization, listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite, listSites } from '#contract/cloud/sites.ts';
import type { RequestOf } from '#contract/route.ts';
import { formatTime } from '#contract/time.ts';
import { writeAtomic } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { isMissingFile, undefinedIf } from '#lib/error-code.ts';

type Token = { token: string; identity_id: string; expires_at: string };

export type DemoIdentity = Awaited<ReturnType<typeof signIn>>;

/** Signs in with the key in a file, like any person; creates a missing key. */
export async function signIn(cloudUrl: string, keyFile: string) {
  const key = await openKey(keyFile);
  const api = await connect(cloudUrl, { key, name: 'Simulated owner' });
  return {
    identityId: api.identityId,
    keyFile,
    api,
    async anotherToken(): Promise<Token> {
      const { promise, resolve } = Promise.withResolvers<Token>();
      await connect(cloudUrl, {
        key,
        onToken: (token, expires_at) => resolve({ token, identity_id: api.identityId, expires_at }),
      });
      return promise;
    },
  };
}

async function openKey(path: string): Promise<SigningKey> {
  const stored = await readFile(path, 'utf8').catch(undefinedIf(isMissingFile));
  if (stored !== undefined) return keyFromPem(stored);
  const { key, pem } = await makeKey();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomic(path, pem, { isNew: true });
  return key;
}

export type Claimable = { serial: string; publicKey: string; sign(text: string): string };

export type NewSite = Omit<RequestOf<typeof createSite>['body'], 'org_id'>;

export type DemoOrganization = Awaited<ReturnType<typeof openOrganization>>;

const name = 'Simulated homes';

/** Opens the organization with the saved id or the usual name, or creates one. */
export async function openOrganization({ api, identityId }: DemoIdentity, savedId: string | undefined, clock: Clock) {
  const organizations = await Array.fromAsync(api.pages(listOrganizations));
  const found = organizations.find(({ id }) => id === savedId) ?? organizations.find((one) => one.name === name);
  const { id } = found ?? (await api.call(createOrganization, { body: { name } }));
  const query = { org_id: id, limit: 1000 };
  const sites = found ? await Array.fromAsync(api.pages(listSites, { query })) : [];
  const gateways = found ? await Array.fromAsync(api.pages(listGateways, { query })) : [];

  return {
    id,
    api,
    /** by serial number, as of opening */
    gateways: new Map(gateways.map((gateway) => [gateway.gateway_serial, gateway])),

    /** Returns the site with this id or name, or creates one: an interrupted start may have created it already. */
    async site(wanted: NewSite, siteId?: string): Promise<string> {
      const same = sites.find((site) => site.id === siteId) ?? sites.find((site) => site.name === wanted.name);
      return (same ?? (await api.call(createSite, { body: { org_id: id, ...wanted } }))).id;
    },

    async claim({ serial, publicKey, sign }: Claimable): Promise<void> {
      const nonce = randomBytes(6).toString('hex');
      const message = composeClaim({ claimerId: identityId, nonce, timestamp: formatTime(clock.now()), serial });
      await api.call(claimGateway, {
        body: { org_id: id, gateway_serial: serial, public_key: publicKey, message, signature: sign(message) },
      });
    },
  };
}
