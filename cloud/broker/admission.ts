import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { keyObjectOf } from '#lib/keys/key-object.ts';
import type { Logger } from '#lib/log.ts';
import { seesEverything } from '../access/caller.ts';
import type { Sessions } from '../identity/sessions.ts';
import { findGateway } from '../store/gateways.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import type { Store } from '../store/store.ts';
import { isClientIdOf, isClientIdOfAnother } from './client-id.ts';
import { gatewayTokenExpiry } from './gateway-token.ts';
import { mayPublish, maySubscribe } from './rights.ts';
import type { Admission, Admitted, Login } from './transport.ts';

export type AdmissionDeps = { store: Pick<Store, 'db'>; sessions: Sessions; clock: Clock; log: Logger };

const identityId = /^idt-[0-9a-f-]{36}$/;
const serialForm = /^[A-Za-z0-9_:-]{3,64}$/;

/** Who may use the broker: claimed gateways with a token of their own key, and members with their access token. */
export function createAdmission({ store, sessions, clock, log }: AdmissionDeps): Admission {
  let isFailing = false;

  async function admitGateway({ username: serial, password }: Login): Promise<Admitted | undefined> {
    const gateway = await findGateway(store.db, serial);
    if (!gateway || gateway.org_id === null) return undefined;
    const raw = Buffer.from(gateway.public_key, 'base64');
    const key = keyObjectOf({ algorithm: 'ES256', raw, text: gateway.public_key });
    const expiresAt = await gatewayTokenExpiry({ token: password, serial, key, now: clock.now() });
    return expiresAt === undefined ? undefined : { client: { kind: 'gateway', serial }, expiresAt };
  }

  async function admitMember({ username, password }: Login): Promise<Admitted | undefined> {
    const caller = await sessions.authenticate(`Bearer ${password}`);
    if (caller.identityId !== username) return undefined;
    const orgIds = seesEverything(caller) ? 'every' : await listOrganizationIdsOf(store.db, username, '');
    const client = { kind: 'member', identityId: username, tokenId: caller.tokenId, orgIds } as const;
    return { client, expiresAt: caller.expiresAt };
  }

  async function admit(login: Login): Promise<Admitted | undefined> {
    const { username, clientId } = login;
    const isMember = identityId.test(username);
    if (!isMember && !serialForm.test(username)) return undefined;
    if (!isClientIdOf(username, clientId)) return undefined;
    const admitted = isMember ? await admitMember(login) : await admitGateway(login);
    return admitted && !(await isClientIdOfAnother(username, clientId, store.db)) ? admitted : undefined;
  }

  return {
    async login(login) {
      try {
        const admitted = await admit(login);
        const { username, clientId, address } = login;
        if (!admitted) log.debug({ username, clientId, address }, 'broker login refused');
        if (admitted && isFailing) log.info('broker logins are checked again');
        if (admitted) isFailing = false;
        return admitted;
      } catch (error) {
        if (error instanceof Problem) return undefined;
        if (!isFailing) log.warn({ err: error }, 'broker logins are refused, they cannot be checked');
        isFailing = true;
        return undefined;
      }
    },
    mayPublish,
    maySubscribe,
    async renew(client) {
      if (client.kind !== 'member' || client.orgIds === 'every') return client;
      return { ...client, orgIds: await listOrganizationIdsOf(store.db, client.identityId, '') };
    },
  };
}
