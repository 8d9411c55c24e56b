import { Problem } from '#contract/problem.ts';
import { derControlFilter, parseGatewayTopic, telemetryAckTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { createFailureLog } from '#lib/every.ts';
import { keyObjectOf } from '#lib/keys/public-key.ts';
import type { Logger } from '#lib/log.ts';
import { seesEverything } from '../access/caller.ts';
import { isSelfProving } from '../gateways/binding.ts';
import type { Sessions } from '../identity/sessions.ts';
import { findGateway, setTokenAudience } from '../store/gateways.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import type { GatewayRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { Audience, TokenAudience } from './audience.ts';
import { isClientIdOf, isClientIdOfAnother, isMember } from './client-id.ts';
import { readGatewayToken } from './gateway-token.ts';
import { includes, isTopic, matches, unshared } from './topic-filter.ts';
import type { Admission, Admitted, BrokerClient, Login } from './transport.ts';

export type AdmissionDeps = {
  store: Pick<Store, 'db' | 'write'>;
  sessions: Sessions;
  audience: Audience;
  platformMessage(): string;
  clock: Clock;
  log: Logger;
};

const maxLoggedSerials = 1000;
const maxLoggedCharacters = 200;

const serialForm = /^[A-Za-z0-9_:-]{3,64}$/;

/** Authenticates the clients of the broker: claimed gateways with a token of their key, and members with their access token. */
export function createAdmission({ store, sessions, audience, platformMessage, clock, log }: AdmissionDeps): Admission {
  const outcome = createFailureLog(log, {
    failed: 'broker logins refused: they cannot be checked',
    again: 'broker logins can be checked again',
  });
  const loggedSerials = new Set<string>();

  async function admitGateway({ username: serial, password }: Login): Promise<Admitted | undefined> {
    const gateway = await findGateway(store.db, serial);
    if (!gateway || gateway.org_id === null) return undefined;
    const raw = Buffer.from(gateway.public_key, 'base64');
    const key = keyObjectOf({ algorithm: 'ES256', raw, text: gateway.public_key });
    const token = await readGatewayToken({ token: password, serial, key, now: clock.now() });
    if (!token || !(await isMadeForUs(token, gateway))) return undefined;
    return { client: { kind: 'gateway', serial }, expiresAt: token.expiresAt };
  }

  /** Gateways of our own may omit the audience until their first token that names it, so that a stolen old one is useless later. */
  async function isMadeForUs(token: TokenAudience, gateway: GatewayRow): Promise<boolean> {
    const { serial, token_audience_at: namedSince } = gateway;
    const isOur = isSelfProving(serial, audience.selfProvingPrefixes);
    const isUnnamed = token.aud === undefined && token.origin === undefined;
    if (isUnnamed) return isOur ? namedSince == null : audience.othersMayOmit;
    if (!audience.isOurs(token)) {
      logOtherAudience(serial, token);
      return false;
    }
    if (isOur && namedSince == null) await store.write(({ db }) => setTokenAudience(db, serial, clock.now()));
    return true;
  }

  /** Logs once per gateway: gateways retry forever. */
  function logOtherAudience(serial: string, { aud, origin }: TokenAudience): void {
    if (loggedSerials.has(serial)) return;
    if (loggedSerials.size >= maxLoggedSerials) loggedSerials.clear();
    loggedSerials.add(serial);
    const madeFor = JSON.stringify(origin ?? aud).slice(0, maxLoggedCharacters);
    log.warn({ serial, madeFor }, 'gateway token refused, it was made for another broker; see MQTT_ORIGINS');
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
    const asMember = isMember(username);
    if (!asMember && !serialForm.test(username)) return undefined;
    const isAssigned = asMember && clientId === ''; // the broker assigns a unique one
    if (!isAssigned && !isClientIdOf(username, clientId)) return undefined;
    const admitted = asMember ? await admitMember(login) : await admitGateway(login);
    return admitted && !(await isClientIdOfAnother(username, clientId, store.db)) ? admitted : undefined;
  }

  return {
    async login(login) {
      try {
        const admitted = await admit(login);
        const { username, clientId, address } = login;
        if (admitted) outcome.succeeded();
        else log.debug({ username, clientId, address }, 'broker login refused');
        return admitted;
      } catch (error) {
        if (!(error instanceof Problem)) outcome.failed(error);
        return undefined;
      }
    },
    platformMessage,
    mayPublish,
    maySubscribe,
    async renew(client) {
      if (client.kind !== 'member' || client.orgIds === 'every') return client;
      return { ...client, orgIds: await listOrganizationIdsOf(store.db, client.identityId, '') };
    },
  };
}

const maxTopicCharacters = 512; // the longest of ours: a serial of 64, a hardware id of 128, a DER of 64, and the words

/** Returns whether a client may publish: gateways below their serial, except to topics of the platform; members never. */
export function mayPublish(client: BrokerClient, topic: string): boolean {
  if (client.kind !== 'gateway' || topic.length > maxTopicCharacters || !isTopic(topic)) return false;
  const parsed = parseGatewayTopic(topic);
  if (parsed) return parsed.serial === client.serial;
  if (topic.split('/').includes('')) return false;
  const isBelowOwn = topic.startsWith(`gateways/${client.serial}/`);
  return isBelowOwn && !platformTopics(client.serial).some((filter) => matches(filter, topic));
}

export function maySubscribe(client: BrokerClient, filter: string): boolean {
  return readableBy(client, filter).some((allowed) => includes(allowed, filter));
}

function readableBy(client: BrokerClient, filter: string): string[] {
  if (client.kind === 'gateway') return [`control/${client.serial}/#`, ...platformTopics(client.serial)];
  if (client.orgIds === 'every') return ['orgs/+/#'];
  // Only one organization can match; comparing with all of them would cost filters × organizations for one packet.
  const orgId = unshared(filter).split('/', 2)[1];
  return orgId !== undefined && client.orgIds.includes(orgId) ? [`orgs/${orgId}/#`] : [];
}

const platformTopics = (serial: string): string[] => [telemetryAckTopic(serial), derControlFilter(serial)];
