import { dataScopes, type Role, type Scope } from '#contract/access.ts';
import { expectStatus } from '../cloud/open-cloud.ts';
import { type OAuthTestCloud, redirectUri } from '../oauth/open-oauth.ts';
import type { Actor, World } from './world.ts';

type Allowed = { of: string; scopes: readonly Scope[]; elsewhere?: boolean };

/** Applications by scopes, by the person who allowed them, and by organization. */
const allowed: Record<string, Allowed> = {
  'application for sites': { of: 'owner', scopes: ['read:sites'] },
  'application for telemetry': { of: 'owner', scopes: ['read:telemetry'] },
  'application for control': { of: 'owner', scopes: ['control:ders'] },
  'application for everything': { of: 'owner', scopes: dataScopes },
  'application for nothing': { of: 'owner', scopes: [] },
  'application for another organization': { of: 'owner', scopes: dataScopes, elsewhere: true },
  'application of an operator': { of: 'operator', scopes: dataScopes },
  'application of a viewer': { of: 'viewer', scopes: dataScopes },
  'application of a stranger': { of: 'stranger', scopes: dataScopes, elsewhere: true },
};

/** Adds applications to the world, and registers one in each of the two organizations. */
export async function withApplications(cloud: OAuthTestCloud, world: World): Promise<World> {
  const actors = { ...world.actors };
  for (const [name, grant] of Object.entries(allowed)) actors[name] = await application(cloud, world, grant);
  const registered = async (orgId: string) => {
    const body = { name: 'Panel', redirect_uris: [redirectUri], confidential: true };
    const as = world.actors['platform root'];
    const made = await expectStatus(201, cloud.call('POST', `/organizations/${orgId}/oauth-clients`, { as, body }));
    return made.client_id as string;
  };
  const { own, foreign } = world.targets;
  const targets = {
    ...world.targets,
    own: { ...own, client: { id: await registered(own.organization!.id), isOurs: true } },
    foreign: { ...foreign, client: { id: await registered(foreign.organization!.id), isOurs: false } },
  };
  return { ...world, actors, targets };
}

async function application(
  cloud: OAuthTestCloud,
  world: World,
  { of, scopes, elsewhere = false }: Allowed,
): Promise<Actor> {
  const person = world.actors[of]!;
  const orgId = elsewhere ? await cloud.organization(person) : world.targets.own.organization!.id;
  const scope = ['openid', ...scopes].join(' ');
  const { access_token } = await cloud.tokens(await cloud.register(), { scope, orgIds: [orgId], as: person });
  const role: Role | null = elsewhere ? null : person.role;
  return { ...person, token: access_token, role, scopes };
}
