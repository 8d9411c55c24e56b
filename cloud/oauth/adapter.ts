import { type Adapter, errors, type Payload } from 'oidc-provider';
import type { Clock } from '#lib/clock.ts';
import { announceAccess } from '../access/access-version.ts';
import { oauthRecordId } from '../access/application-tokens.ts';
import type { Db } from '../store/engine.ts';
import { consumeRecord, deleteGrant, deleteRecord, findClient, findRecord, saveRecord } from '../store/oauth.ts';
import type { OAuthRecordRow } from '../store/schema.ts';
import type { Store, Write } from '../store/store.ts';
import { clientMetadata } from './clients.ts';

export type AdapterDeps = { store: Store; clock: Clock };

const nothing = async (): Promise<undefined> => undefined;

/** Sessions are not stored: a person signs with their key for every authorization request. */
const sessions: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** Creates the storage of the OAuth server for one kind of record. Values that clients and browsers hold are stored as hashes. */
export function createAdapter(kind: string, { store, clock }: AdapterDeps): Adapter {
  if (kind === 'Session') return sessions;
  if (kind === 'Client') return { ...sessions, find: (id) => findMetadata(store.db, id) };

  return {
    ...sessions,

    async upsert(id, { jti, ...payload }, expiresInSeconds) {
      await store.write(({ db }) =>
        saveRecord(db, {
          id: oauthRecordId(id),
          kind,
          grant_id: kind === 'Grant' ? id : (payload.grantId ?? null),
          client_id: payload.clientId ?? null,
          identity_id: payload.accountId ?? null,
          payload: JSON.stringify(payload),
          consumed_at: null,
          expires_at: clock.now() + expiresInSeconds * 1000,
        }),
      );
    },

    async find(id) {
      const record = await findRecord(store.db, oauthRecordId(id), kind);
      if (!record) return undefined;
      const payload: Payload = JSON.parse(record.payload);
      return { ...payload, jti: id, ...(record.consumed_at !== null && { consumed: record.consumed_at }) };
    },

    /** Marks a record as used. A second use, even a simultaneous one, revokes everything issued for the grant. */
    async consume(id) {
      const isFirst = await store.write(async (write) => {
        if (await consumeRecord(write.db, oauthRecordId(id), clock.now())) return true;
        const record = await findRecord(write.db, oauthRecordId(id), kind);
        if (record?.grant_id) await endGrant(write, record.grant_id);
        return false;
      });
      if (!isFirst) throw new errors.InvalidGrant('it was already used');
    },

    async destroy(id) {
      await store.write(async (write) => {
        const record = await deleteRecord(write.db, oauthRecordId(id));
        if (record?.grant_id) await announceOwner(write, record);
      });
    },

    async revokeByGrantId(grantId) {
      await store.write((write) => endGrant(write, grantId));
    },
  };
}

async function endGrant(write: Write, grantId: string): Promise<void> {
  const [record] = await deleteGrant(write.db, grantId);
  if (record) await announceOwner(write, record);
}

type Owned = Pick<OAuthRecordRow, 'client_id' | 'identity_id'>;

/** Announces the access change. All records of a grant have the same person and application. */
const announceOwner = (write: Write, { client_id, identity_id }: Owned): Promise<void> =>
  announceAccess(write, {
    ...(identity_id !== null && { identityId: identity_id }),
    ...(client_id !== null && { clientId: client_id }),
  });

async function findMetadata(db: Db, id: string): Promise<Payload | undefined> {
  const client = await findClient(db, id);
  return client && clientMetadata(client);
}
