import { type Bug, bugsIn } from '../bug.ts';

const identityTest = 'cloud/identity/identity.test.ts';
const claimTest = 'cloud/gateways/claim.test.ts';
const organizationsTest = 'cloud/organizations/organizations.test.ts';
const oauthAttacksTest = 'test/oauth/attacks.test.ts';
const singleUseTest = 'test/oauth/single-use.test.ts';

/** Identities, tokens, rights, claims, OAuth and the broker. */
export const accessBugs: readonly Bug[] = [
  ...bugsIn<typeof import('#cloud/identity/challenge.ts')>('cloud/identity/challenge.ts')({
    id: 'a challenge never expires',
    proves: ['A07'],
    replace: {
      createChallenges: (real) => (deps) => {
        const challenges = real.createChallenges({ ...deps, monotonic: { now: () => 0 } });
        return { ...challenges, check: (challenge, key) => challenges.check(challenge, key, 0) };
      },
    },
    noticedBy: identityTest,
  }),
  ...bugsIn<typeof import('#cloud/identity/register.ts')>('cloud/identity/register.ts')({
    id: 'anybody registers as root',
    proves: ['A05'],
    replace: {
      register: (real) => (registration, db, now) =>
        registration.type === undefined
          ? real.register(registration, db, now)
          : real.enrol({ ...registration, type: registration.type }, db, now),
    },
    noticedBy: identityTest,
  }),
  ...bugsIn<typeof import('#cloud/identity/key-ring.ts')>('cloud/identity/key-ring.ts')(
    {
      id: 'the signature of a token is not verified',
      proves: ['A18', 'A19', 'A20'],
      replace: {
        openKeyRing: (real) => async (store, options) => {
          const ring = await real.openKeyRing(store, options);
          type Verified = Awaited<ReturnType<typeof ring.verify>>;
          const claimsOf = (token: string): Verified =>
            JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
          return {
            ...ring,
            verify: async (token, expected) => ring.verify(token, expected).catch(() => claimsOf(token)),
          };
        },
      },
      noticedBy: 'test/attacks/tokens.test.ts',
    },
    {
      id: 'a rotated key no longer verifies the tokens it signed',
      proves: ['A21'],
      replace: { rotateKeys: (real) => (db, now) => real.rotateKeys(db, now, -120_000) },
      noticedBy: 'cloud/identity/key-ring.test.ts',
    },
  ),
  ...bugsIn<typeof import('#cloud/access/authorize.ts')>('cloud/access/authorize.ts')({
    id: 'everybody may do what root may do',
    proves: ['A25', 'A26', 'A27', 'A30', 'S10'],
    replace: {
      authorize: (real) => (access, caller, named, db) =>
        real.authorize(access, { ...caller, type: 'root' }, named, db),
    },
    noticedBy: 'test/attacks/authorization.test.ts',
  }),
  ...bugsIn<typeof import('#contract/access.ts')>('contract/access.ts')({
    id: 'every role has every right',
    proves: ['A27'],
    replace: { can: () => () => true },
    noticedBy: organizationsTest,
  }),
  ...bugsIn<typeof import('#cloud/access/caller.ts')>('cloud/access/caller.ts')(
    {
      id: 'an application needs no scope',
      proves: ['A29'],
      replace: { mayCall: () => () => true },
      noticedBy: 'test/oauth/scopes.test.ts',
    },
    {
      id: 'an application reaches organizations that were not chosen',
      proves: ['A28', 'A29', 'S11'],
      replace: { reaches: () => () => true },
      noticedBy: 'test/oauth/scopes.test.ts',
    },
  ),
  ...bugsIn<typeof import('#cloud/access/idempotency.ts')>('cloud/access/idempotency.ts')({
    id: 'the Idempotency-Key is ignored',
    proves: ['F04'],
    replace: { once: () => async (_repeatable, _db, _now, act) => act() },
    noticedBy: 'cloud/access/idempotency.test.ts',
  }),
  ...bugsIn<typeof import('#contract/claim.ts')>('contract/claim.ts')({
    id: 'a claim may be signed at any time',
    proves: ['A11', 'A13'],
    replace: { isTimely: () => () => true },
    noticedBy: claimTest,
  }),
  ...bugsIn<typeof import('#cloud/store/gateways.ts')>('cloud/store/gateways.ts')({
    id: 'a claim may be replayed',
    proves: ['A01', 'A13'],
    replace: { findNonce: () => async () => undefined },
    noticedBy: claimTest,
  }),
  ...bugsIn<typeof import('#cloud/gateways/binding.ts')>('cloud/gateways/binding.ts')({
    id: 'a serial accepts another key',
    proves: ['A12'],
    replace: { checkBinding: () => () => {} },
    noticedBy: claimTest,
  }),
  ...bugsIn<typeof import('#cloud/store/devices.ts')>('cloud/store/devices.ts')({
    id: 'devices of a gateway that left are not orphaned',
    proves: ['A15', 'A17'],
    replace: { orphanDevices: () => async () => {} },
    noticedBy: claimTest,
  }),
  ...bugsIn<typeof import('#cloud/oauth/provider.ts')>('cloud/oauth/provider.ts')(
    {
      id: 'any address is redirected to',
      proves: ['A65', 'S14'],
      replace: {
        createProvider: (real) => (deps) => {
          const provider = real.createProvider(deps);
          Object.assign(provider.Client.prototype, { redirectUriAllowed: () => true });
          return provider;
        },
      },
      noticedBy: oauthAttacksTest,
    },
    {
      id: 'PKCE is not required',
      proves: ['A67', 'S14'],
      replace: {
        createProvider: (real) => (deps) => {
          const provider = real.createProvider(deps);
          provider.use((context, next) => {
            const { query, path } = context as typeof context & { query: Record<string, string>; path: string };
            const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
            if (path.endsWith('/authorize') && query.code_challenge === undefined) Object.assign(query, challenge);
            return next();
          });
          return provider;
        },
      },
      noticedBy: oauthAttacksTest,
    },
  ),
  ...bugsIn<typeof import('#cloud/oauth/authorization.ts')>('cloud/oauth/authorization.ts')({
    id: 'an authorization request is answered by another browser',
    proves: ['A68'],
    replace: {
      createAuthorization: (real) => (deps) => {
        const authorization = real.createAuthorization(deps);
        const cookieOf = (request: string): string => `ohmstead_oauth_request=${request}`;
        return {
          describe: (request) => authorization.describe(request, cookieOf(request)),
          complete: (decision, caller) => authorization.complete(decision, caller, cookieOf(decision.request)),
        };
      },
    },
    noticedBy: oauthAttacksTest,
  }),
  ...bugsIn<typeof import('#cloud/store/tokens.ts')>('cloud/store/tokens.ts')({
    id: 'a challenge signs in twice',
    proves: ['A06', 'S32'],
    replace: { useChallenge: () => async () => true },
    noticedBy: identityTest,
  }),
  ...bugsIn<typeof import('#cloud/store/oauth.ts')>('cloud/store/oauth.ts')({
    id: 'a stolen code does not end its grant',
    proves: ['A66', 'A70'],
    replace: { deleteGrant: () => async () => [] },
    noticedBy: singleUseTest,
  }),
  ...bugsIn<typeof import('#cloud/broker/gateway-token.ts')>('cloud/broker/gateway-token.ts')({
    id: 'an expired gateway token is accepted',
    proves: ['A24', 'A37'],
    replace: {
      readGatewayToken: (real) => (given) => {
        const claims = JSON.parse(Buffer.from(given.token.split('.')[1] ?? 'e30', 'base64url').toString() || '{}');
        return real.readGatewayToken({ ...given, now: (claims.iat ?? 0) * 1000 });
      },
    },
    noticedBy: 'cloud/broker/admission.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/broker/admission.ts')>('cloud/broker/admission.ts')(
    {
      id: 'a client publishes on every topic',
      proves: ['A33', 'A34', 'A36'],
      replace: {
        createAdmission: (real) => (deps) => ({ ...real.createAdmission(deps), mayPublish: () => true }),
      },
      noticedBy: 'cloud/broker/embedded/publish.test.ts',
    },
    {
      id: 'a client subscribes to every topic',
      proves: ['A32'],
      replace: {
        createAdmission: (real) => (deps) => ({ ...real.createAdmission(deps), maySubscribe: () => true }),
      },
      noticedBy: 'cloud/broker/embedded/subscribe.test.ts',
    },
  ),
  ...bugsIn<typeof import('#cloud/broker/audience.ts')>('cloud/broker/audience.ts')({
    id: 'a token made for another broker is accepted',
    proves: ['A20', 'A35'],
    replace: {
      createAudience: (real) => (config, deps) => ({ ...real.createAudience(config, deps), isOurs: () => true }),
    },
    noticedBy: 'cloud/broker/audience.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/broker/embedded/aedes-hooks.ts')>('cloud/broker/embedded/aedes-hooks.ts')({
    id: 'a subscriber that does not read is buffered without limit',
    proves: ['A38', 'F28'],
    replace: {
      deliveryHooks: (real) => (deps) =>
        real.deliveryHooks({ ...deps, limits: { ...deps.limits, queuedBytes: Number.POSITIVE_INFINITY } }),
    },
    noticedBy: 'cloud/broker/embedded/subscribe.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/broker/cluster/interests.ts')>('cloud/broker/cluster/interests.ts')({
    id: 'a process forgets what another one wants',
    proves: ['F32'],
    replace: {
      Interests: (real) =>
        class extends real.Interests {
          override receive(...[from, message]: Parameters<InstanceType<typeof real.Interests>['receive']>): void {
            super.receive(from, message.kind === 'change' ? { ...message, add: [] } : message);
          }
        },
    },
    noticedBy: 'cloud/broker/cluster.test.ts',
    needsPostgres: true,
  }),
  ...bugsIn<typeof import('#cloud/broker/cluster/leases.ts')>('cloud/broker/cluster/leases.ts')({
    id: 'a command goes to the process where the gateway was first',
    proves: ['F32'],
    replace: {
      createLeases: (real) => {
        const first = new Map<string, Promise<string[]>>();
        return (deps) => {
          const leases = real.createLeases(deps);
          const nodesOf = (serial: string): Promise<string[]> => {
            const known = first.get(serial) ?? leases.nodesOf(serial);
            first.set(serial, known);
            return known;
          };
          return { ...leases, nodesOf };
        };
      },
    },
    noticedBy: 'cloud/broker/cluster.test.ts',
    needsPostgres: true,
  }),
];
