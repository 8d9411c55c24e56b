import { isDeepStrictEqual } from 'node:util';
import { type RequiredRight, roles } from '#contract/access.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { dayMs } from '#contract/time.ts';
import type { EngineName, Reply } from '../cloud/open-cloud.ts';
import { type OAuthTestCloud, openOAuth } from '../oauth/open-oauth.ts';
import { scopeOf } from '../oauth/scope-policy.ts';
import { withApplications } from './applications.ts';
import { leastRole } from './policy.ts';
import { rehearse } from './rehearse.ts';
import { type Names, requestOf } from './requests.ts';
import { type Actor, buildWorld, canary, type Relation, relations, type World } from './world.ts';

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

// Routes with a proof of their own: a signed challenge (tested in identity.test.ts), a request of a browser, the id of an
// object that belongs to a person (tested in test/oauth, cloud/alerts/channels.test.ts, cloud/identity/sign-ins.test.ts and browsers.test.ts).
const withOwnProof = [
  'POST /auth/verify',
  'DELETE /identity/consents/{consent_id}',
  'POST /alert-channels/{channel_id}/verify',
  'POST /alert-channels/{channel_id}/test',
  'DELETE /alert-channels/{channel_id}',
  'DELETE /identity/sign-ins/{sign_in_id}',
  'DELETE /identity/browsers/{browser_id}',
  'POST /identity/pairing/confirm',
  'POST /identity/pairing/join',
];

/** The routes whose cells are all tested. */
export const matrixRoutes = cloudRoutes.filter((route) => !route.oauthErrors && !withOwnProof.includes(nameOf(route)));

export type Matrix = Awaited<ReturnType<typeof openMatrix>>;

/** A platform with every kind of caller, on which no change is kept. */
export async function openMatrix(engine: EngineName) {
  const cloud: OAuthTestCloud = await openOAuth({ engine });
  cloud.clock.advance(-dayMs); // creating the world takes a day of its clock, while the OAuth server uses the system clock
  const world = await withApplications(cloud, await buildWorld(cloud));
  rehearse(cloud.store);
  return { cloud, world };
}

/** Calls one route as everybody about everything; returns the differences from the declared access. */
export async function tryRoute(route: Route, { cloud, world }: Matrix): Promise<{ cells: number; wrong: string[] }> {
  let cells = 0;
  const wrong: string[] = [];
  for (const [name, actor] of Object.entries(world.actors)) {
    let absent: unknown;
    for (const relation of relations) {
      const names = namesFor(route, world, relation);
      if (!names) continue;
      cells++;
      const { method, url, body } = requestOf(route, names, actor, cloud);
      const reply = await cloud.call(method, url, { as: actor, body });
      const text = JSON.stringify(reply.body);
      const where = `${nameOf(route)}, ${name}, ${relation}: ${reply.status} ${text}`;

      const right = expected(route, actor, relation, world);
      const isEmpty = isFilter(route) && right === 'allowed' && !sees(actor, relation, world);
      if (isEmpty && text !== '[]') wrong.push(`${where} must be an empty list`);
      if (verdictOf(reply) !== right) wrong.push(`${where} is not ${right}`);
      if (!isPlatform(actor) && (text + JSON.stringify(reply.headers)).includes(canary)) wrong.push(`${where} leaks`);
      if (reply.status !== 404) continue;
      const { request_id, ...rest } = reply.body;
      absent ??= rest;
      if (!isDeepStrictEqual(rest, absent)) wrong.push(`${where}: absent and invisible must have the same answer`);
    }
  }
  return { cells, wrong };
}

const needsOf = ({ access }: Route): readonly RequiredRight[] => (typeof access === 'object' ? access.needs : []);

/** Returns the objects that a request names in this relation, or undefined if none exists. */
function namesFor(route: Route, { targets, invitationSecret }: World, relation: Relation): Names | undefined {
  const kinds = needsOf(route).map(({ on }) => on);
  if (kinds.length === 0) return relation === 'own' ? { secret: invitationSecret } : undefined;
  if (kinds.some((kind) => !targets[relation][kind])) return undefined;
  const { organization, site, gateway, device, der } = targets[relation];
  return {
    organization: organization?.id,
    site: site?.id,
    gateway: gateway?.id,
    device: device?.id,
    der: der?.id,
    member: (targets[relation].member ?? targets.own.member)?.id,
    client: (targets[relation].client ?? targets.own.client)?.id,
    invitation: (targets[relation].invitation ?? targets.own.invitation)?.id,
    hook: (targets[relation].hook ?? targets.own.hook)?.id,
  } as Names;
}

/** The object that is named only narrows a list. */
const isFilter = (route: Route): boolean => needsOf(route).some(({ filter }) => filter);

const sees = (actor: Actor, relation: Relation, { targets }: World): boolean =>
  isPlatform(actor) || (actor.role !== null && targets[relation].organization!.isOurs);

type Verdict = 'allowed' | 'unauthenticated' | 'forbidden' | 'absent';

function verdictOf({ status, body }: Reply): string {
  const isRefusedByState = ['conflict', 'gateway_offline', 'unprocessable'].includes(body.error); // after the policy has let it pass
  if (status < 300 || isRefusedByState) return 'allowed';
  return { 401: 'unauthenticated', 403: 'forbidden', 404: 'absent' }[status] ?? `unexpected ${status}`;
}

const isPlatform = ({ type, scopes }: Actor): boolean => !scopes && (type === 'root' || type === 'admin');

/** Computed from the reviewed tables only, not from the code that enforces them. */
function expected(route: Route, actor: Actor, relation: Relation, { targets }: World): Verdict {
  const least = leastRole[nameOf(route)]!;
  if (least === 'anyone') return 'allowed';
  if (least === 'internal') return 'unauthenticated';
  if (actor.type === null) return 'unauthenticated';
  if (actor.scopes && !actor.scopes.some((scope) => scope === scopeOf[nameOf(route)])) return 'forbidden';
  if (least === 'identity') return 'allowed';
  if (least === 'holder') return actor.type === 'gateway' ? 'forbidden' : 'allowed';
  if (isFilter(route)) return 'allowed';
  for (const { on } of needsOf(route)) {
    const { isOurs } = targets[relation][on]!;
    const exists = isOurs || relation === 'foreign' || relation === 'transferred';
    if (isPlatform(actor) ? !exists : !isOurs || actor.role === null) return 'absent';
  }
  return roles.indexOf(actor.role!) >= roles.indexOf(least) ? 'allowed' : 'forbidden';
}
