import { createPrivateKey } from 'node:crypto';
import { latLngToCell } from 'h3-js';
import { decodeJwt, SignJWT } from 'jose';
import { enrol } from '#cloud/identity/register.ts';
import type { Store } from '#cloud/store/store.ts';
import type { IdentityType, ObjectKind, Role, Scope } from '#contract/access.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { expectStatus, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { ed25519, type p256 } from '../cloud/people.ts';

const stockholm = { latitude: 59.33, longitude: 18.07 };

/** The map cell where everybody here lives. */
export const worldCell = latLngToCell(stockholm.latitude, stockholm.longitude, 6);

/** The relation of the named object to the organization under test. */
export const relations = ['own', 'foreign', 'missing', 'deleted', 'transferred'] as const;
export type Relation = (typeof relations)[number];

/** Facts about an actor that need no request. An application acts for a person, in the scopes it was allowed. */
export type Actor = Person & { role: Role | null; type: IdentityType | null; scopes?: readonly Scope[] };

/** Part of every name that the neighbour chose; nobody else may ever read it. */
export const canary = 'canary-of-the-neighbour';

/** An object, and whether the members of the organization under test still hold it. */
export type Target = { id: string; isOurs: boolean };

type Targets = Partial<Record<ObjectKind | 'member' | 'client' | 'invitation' | 'hook', Target>>;

export type World = {
  actors: Record<string, Actor>;
  targets: Record<Relation, Targets>;
  /** of an open invitation to an organization without other members */
  invitationSecret: string;
};

/** Two neighbours, every kind of caller, and every kind of object in every state. */
export async function buildWorld(cloud: TestCloud): Promise<World> {
  const owner = await cloud.person();
  const neighbour = await cloud.person();
  const exOwner = await cloud.person();
  const org = await cloud.organization(owner);

  // The gateway came from the previous owner.
  const gateway = await cloud.claim(exOwner, await cloud.organization(exOwner));
  await cloud.claim(owner, org, gateway);
  const own = await objectsOf(cloud, owner, org, gateway.serial);

  const foreignOrg = await cloud.organization(neighbour, canary);
  const foreignGateway = await cloud.claim(neighbour, foreignOrg);
  const foreign = await objectsOf(cloud, neighbour, foreignOrg, foreignGateway.serial, { name: canary });

  const deleted = await deletedObjects(cloud, owner, org);
  const moved = await cloud.claim(owner, org);
  const orphan = await cloud.provision(owner, own.site!.id, moved.serial, { hardware_id: 'MOVED' });
  await cloud.claim(neighbour, foreignOrg, moved);

  const missing = {
    organization: 'org-missing',
    site: 'sit-missing',
    gateway: 'ohm-missing',
    device: 'dev-missing',
    der: 'der-missing',
    member: 'idt-missing',
    invitation: 'inv-missing',
    hook: 'hok-missing',
  };
  return {
    actors: await callers(cloud, { owner, exOwner, org, ownGateway: gateway, otherGateway: foreignGateway }),
    targets: {
      own: { organization: { id: org, isOurs: true }, ...own },
      foreign: toStrangers({ organization: { id: foreignOrg, isOurs: true }, ...foreign }),
      missing: Object.fromEntries(Object.entries(missing).map(([kind, id]) => [kind, { id, isOurs: false }])),
      deleted,
      transferred: {
        gateway: { id: moved.serial, isOurs: false },
        device: { id: orphan.id, isOurs: true },
        der: { id: orphan.ders[0].id, isOurs: true },
      },
    },
    invitationSecret: await freshInvitation(cloud),
  };
}

/** After the callers were created, which takes a day of the clock. */
async function freshInvitation(cloud: TestCloud): Promise<string> {
  const host = await cloud.person();
  return cloud.invite(host, await cloud.organization(host), 'viewer');
}

async function objectsOf(
  cloud: TestCloud,
  owner: Person,
  org: string,
  serial: string,
  named: { name?: string } = {},
): Promise<Targets> {
  const site = await cloud.site(owner, org, { ...stockholm, ...named });
  const device = await cloud.provision(owner, site, serial, named);
  const member = await cloud.member(owner, org, 'viewer');
  const invited = await expectStatus(
    201,
    cloud.call('POST', `/organizations/${org}/invitations`, { as: owner, body: { role: 'viewer' } }),
  );
  const hook = await expectStatus(
    201,
    cloud.call('POST', `/sites/${site}/alert-hooks`, {
      as: owner,
      body: { kind: 'webhook', url: 'https://hooks.invalid/', ...named },
    }),
  );
  return {
    site: { id: site, isOurs: true },
    gateway: { id: serial, isOurs: true },
    device: { id: device.id, isOurs: true },
    der: { id: device.ders[0].id, isOurs: true },
    member: { id: member.id, isOurs: true },
    invitation: { id: invited.id, isOurs: true },
    hook: { id: hook.id, isOurs: true },
  };
}

async function deletedObjects(cloud: TestCloud, owner: Person, org: string): Promise<Targets> {
  const gateway = await cloud.claim(owner, org);
  const objects = await objectsOf(cloud, owner, org, gateway.serial);
  const emptyOrg = await cloud.organization(owner);
  await cloud.call('DELETE', `/organizations/${emptyOrg}`, { as: owner });
  await cloud.call('DELETE', `/sites/${objects.site!.id}?cascade=true`, { as: owner });
  await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: owner });
  await cloud.call('DELETE', `/organizations/${org}/members/${objects.member!.id}`, { as: owner });
  return toStrangers({ organization: { id: emptyOrg, isOurs: true }, ...objects });
}

const toStrangers = (targets: Targets): Targets =>
  Object.fromEntries(Object.entries(targets).map(([kind, { id }]) => [kind, { id, isOurs: false }]));

type Cast = {
  owner: Person;
  exOwner: Person;
  org: string;
  ownGateway: ReturnType<typeof p256>;
  otherGateway: ReturnType<typeof p256>;
};

async function callers(
  cloud: TestCloud,
  { owner, exOwner, org, ownGateway, otherGateway }: Cast,
): Promise<World['actors']> {
  const expired = await cloud.person();
  cloud.clock.advance(24 * 3_600_000);
  const fresh = async (person: Person): Promise<Person> => ({ ...person, token: await cloud.signIn(person) });
  const signedInOwner = await fresh(owner);

  const outsider = (person: Person, type: IdentityType = 'user'): Actor => ({ ...person, role: null, type });
  const member = async (role: Role): Promise<Actor> => ({
    ...(await cloud.member(signedInOwner, org, role)),
    role,
    type: 'user',
  });
  const unknown = (person: Person, token: string): Actor => ({ ...person, token, role: null, type: null });

  const revoked = await cloud.member(signedInOwner, org, 'owner');
  await cloud.call('POST', '/auth/revoke', { as: revoked });
  const stranger = await cloud.person();
  const otherOwner = await cloud.person();
  await cloud.organization(otherOwner);

  return {
    owner: { ...signedInOwner, role: 'owner', type: 'user' },
    admin: await member('admin'),
    operator: await member('operator'),
    viewer: await member('viewer'),
    stranger: outsider(stranger),
    'other owner': outsider(otherOwner),
    'ex-owner': outsider(await fresh(exOwner)),
    'own gateway': outsider(await cloud.person('gateway', ownGateway), 'gateway'),
    'other gateway': outsider(await cloud.person('gateway', otherGateway), 'gateway'),
    'platform root': await operator(cloud, 'root', 'owner'),
    'platform admin': await operator(cloud, 'admin', 'admin'),
    anonymous: unknown(stranger, ''),
    expired: unknown(expired, expired.token),
    revoked: unknown(revoked, revoked.token),
    'wrong audience': unknown(stranger, await forAnotherAudience(cloud.store, stranger.token)),
  };

  async function operator(cloud: TestCloud, type: IdentityType, role: Role): Promise<Actor> {
    const signer = ed25519();
    const key = parsePublicKey(signer.publicKey);
    const { identity } = await cloud.store.write(({ db }) => enrol({ key, type }, db, cloud.clock.now()));
    return { ...signer, id: identity.id, token: await cloud.signIn(signer), role, type };
  }
}

/** Signed with the platform's own key, but for another audience. */
async function forAnotherAudience({ db }: Store, token: string): Promise<string> {
  const key = await db.selectFrom('signing_keys').where('stage', '=', 'current').selectAll().executeTakeFirstOrThrow();
  return new SignJWT({ ...decodeJwt(token), aud: 'urn:ohmstead:another' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: key.kid })
    .sign(createPrivateKey(key.private_key));
}
