import type { Interaction } from 'oidc-provider';
import { dataScopes, type OAuthScope, oauthScopes } from '#contract/access.ts';
import type { AuthorizationRequest, completeAuthorization } from '#contract/cloud/oauth.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { newId } from '#lib/id.ts';
import { announceAccess } from '../access/access-version.ts';
import { consentLifeMs, requestCookie } from '../access/application-tokens.ts';
import { hold } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { findClient, saveConsent } from '../store/oauth.ts';
import { getOrganization } from '../store/organizations.ts';
import type { CommonDeps } from '../store/store.ts';
import type { OAuthServer } from './server.ts';

export type AuthorizationDeps = Pick<CommonDeps, 'store' | 'clock'> & { server: OAuthServer };

/** Handles authorization requests that wait for a decision of the person. */
export function createAuthorization({ server, store, clock }: AuthorizationDeps) {
  /** Finds a request by its cookie, which only the browser that began it has, so that nobody answers another's request. */
  async function find(request: string, cookies: string | undefined): Promise<Interaction> {
    const isTheirs = cookieOf(cookies) === request;
    const interaction = isTheirs ? await (await server.get()).Interaction.find(request) : undefined;
    if (!interaction) {
      throw new Problem(
        'invalid_request',
        'This request has expired or began in another browser; start again at the application.',
      );
    }
    return interaction;
  }

  async function allow({ params }: Interaction, orgIds: string[], caller: Caller): Promise<string> {
    const scopes = scopesOf(params.scope);
    if (orgIds.length === 0 && dataScopes.some((scope) => scopes.includes(scope))) {
      throw fieldProblem('invalid_request', 'body.org_ids', 'choose at least one organization');
    }
    for (const orgId of orgIds) {
      const named = { params: { orgId }, query: {}, body: {} };
      await hold([{ right: 'read', on: 'organization', from: 'params.orgId' }], caller, named, store.db);
    }
    const { Grant } = await server.get();
    const grant = new Grant({ accountId: caller.identityId, clientId: params.client_id });
    grant.addOIDCScope(scopes.join(' '));
    const grantId = await grant.save();
    await store.write(async (write) => {
      const now = clock.now();
      await saveConsent(write.db, {
        id: newId('con', now),
        identity_id: caller.identityId,
        client_id: params.client_id,
        scopes: scopes.join(' '),
        org_ids: JSON.stringify([...new Set(orgIds)]),
        created_at: now,
        expires_at: now + consentLifeMs,
      });
      await announceAccess(write, { identityId: caller.identityId, clientId: params.client_id });
    });
    return grantId;
  }

  return {
    async describe(request: string, cookies: string | undefined): Promise<AuthorizationRequest> {
      const { params } = await find(request, cookies);
      const client = await findClient(store.db, params.client_id);
      if (!client) throw new Problem('invalid_request', 'This application is no longer registered.');
      const organization = client.org_id === null ? null : (await getOrganization(store.db, client.org_id, '')).name;
      return {
        client: { client_id: client.id, name: client.name, organization },
        redirect_host: new URL(params.redirect_uri).host,
        scopes: scopesOf(params.scope),
      };
    },

    /** Records the decision and returns where to redirect the browser. */
    async complete(
      decision: RequestOf<typeof completeAuthorization>['body'],
      caller: Caller,
      cookies: string | undefined,
    ): Promise<string> {
      const interaction = await find(decision.request, cookies);
      interaction.result = decision.allow
        ? {
            login: { accountId: caller.identityId, remember: false },
            consent: { grantId: await allow(interaction, decision.org_ids ?? [], caller) },
          }
        : { error: 'access_denied', error_description: 'the person refused' };
      await interaction.persist();
      return interaction.returnTo;
    },
  };
}

/** Returns the requested scopes, and offline_access, which every application gets. */
const scopesOf = (text = ''): OAuthScope[] => {
  const asked = [...text.split(' '), 'offline_access'];
  return oauthScopes.filter((scope) => asked.includes(scope));
};

const cookieOf = (cookies = ''): string | undefined =>
  cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${requestCookie}=`))
    ?.slice(requestCookie.length + 1);
