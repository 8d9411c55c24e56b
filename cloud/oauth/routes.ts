import type { FastifyInstance } from 'fastify';
import { oauthScopes } from '#contract/access.ts';
import * as contract from '#contract/cloud/oauth.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { createMount, type Door } from '#lib/http/mount.ts';
import { problemSender } from '#lib/http/problem.ts';
import { routeNotFound } from '#lib/http/server.ts';
import { announceAccess } from '../access/access-version.ts';
import type { CloudMount, Context } from '../access/door.ts';
import { pageOf, sliceOf } from '../access/paging.ts';
import { audit } from '../organizations/audit.ts';
import { deleteConsent, findClient, listClients, listConsentsOf } from '../store/oauth.ts';
import type { OAuthConsentRow } from '../store/schema.ts';
import { type AuthorizationDeps, createAuthorization } from './authorization.ts';
import { clientOf, registerClient, removeClient } from './clients.ts';
import { type DelegateDeps, delegate } from './delegate.ts';

/** Mounts the routes below /oauth, with errors in the form of RFC 6749. */
export function oauthServerRoutes(
  app: FastifyInstance,
  door: Door<Context>,
  deps: AuthorizationDeps & DelegateDeps,
): void {
  const authorization = createAuthorization(deps);
  app.register(
    async (scope) => {
      scope.setErrorHandler(problemSender('oauth'));
      scope.setNotFoundHandler(routeNotFound(app));
    },
    { prefix: '/oauth' },
  );
  app.register(async (scope) => {
    scope.setErrorHandler(problemSender('oauth'));
    delegate(scope, deps, door);
    const mount: CloudMount = createMount(scope, door);

    mount(contract.getAuthorizationRequest, ({ query, headers }) =>
      authorization.describe(query.request, headers.cookie),
    );

    mount(contract.completeAuthorization, async ({ body, caller, headers }) => ({
      redirect_to: await authorization.complete(body, caller, headers.cookie),
    }));
  });
}

const consentOf = (row: OAuthConsentRow & { client_name: string }): contract.Consent => ({
  id: row.id,
  client_id: row.client_id,
  client_name: row.client_name,
  scopes: oauthScopes.filter((scope) => row.scopes.split(' ').includes(scope)),
  org_ids: JSON.parse(row.org_ids),
  created_at: formatTime(row.created_at),
  expires_at: formatTime(row.expires_at),
});

export function integrationRoutes(mount: CloudMount): void {
  mount(contract.registerClient, async (context) => {
    const { params, body, db, now } = context;
    await context.checkQuota('oauth_clients', params.org_id);
    const { client, secret } = await registerClient({ ...body, orgId: params.org_id }, db, now);
    await audit(context, params.org_id, 'oauth_client.registered', client.id, { name: client.name });
    return { ...clientOf(client), ...(secret !== undefined && { client_secret: secret }) };
  });

  mount(contract.listClients, async ({ params, query, db }) => {
    const rows = await listClients(db, sliceOf(query), params.org_id);
    return pageOf(`/organizations/${params.org_id}/oauth-clients`, query, rows, ({ id }) => id, clientOf);
  });

  mount(contract.removeClient, async (context) => {
    const { params, db } = context;
    const client = await findClient(db, params.client_id);
    if (client?.org_id !== params.org_id) throw new Problem('not_found', 'There is no application with this id.');
    await removeClient(client.id, context);
    await audit(context, params.org_id, 'oauth_client.removed', client.id, { name: client.name });
  });

  mount(contract.listConsents, async ({ query, caller, db }) => {
    const rows = await listConsentsOf(db, caller.identityId, sliceOf(query));
    return pageOf('/identity/consents', query, rows, ({ id }) => id, consentOf);
  });

  mount(contract.withdrawConsent, async (context) => {
    const { params, caller, db } = context;
    const withdrawn = await deleteConsent(db, params.consent_id, caller.identityId);
    if (!withdrawn) throw new Problem('not_found', 'You have given no consent with this id.');
    await announceAccess(context, { identityId: caller.identityId, clientId: withdrawn.client_id });
  });
}
