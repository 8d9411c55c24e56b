import { hash, randomInt } from 'node:crypto';
import * as contract from '#contract/cloud/alerts.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, formatTime, minuteMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { sameSecret } from '#lib/secret.ts';
import type { Caller } from '../access/caller.ts';
import type { CloudMount } from '../access/door.ts';
import * as store from '../store/alerts.ts';
import type { Db } from '../store/engine.ts';
import type { AlertChannelRow } from '../store/schema.ts';
import { findSignIn } from '../store/sign-ins.ts';
import type { CommonDeps } from '../store/store.ts';
import { codeMessage, testMessage } from './message.ts';
import { refusedUrl } from './post.ts';
import { noCode, tried } from './routes.ts';
import type { Send } from './send.ts';

const codeLifeMs = 15 * minuteMs;
const maxCodeTries = 5;
const codesPerAddress = 5; // a day for all identities together, so that no mailbox is flooded
const maxAddresses = 100_000;

type Deps = Pick<CommonDeps, 'store' | 'clock'> & { send: Send; baseUrl(): string };

/** Browsers and e-mail addresses of people. */
export function alertChannelRoutes(mount: CloudMount, { store: database, clock, send, baseUrl }: Deps): void {
  const codes = createRateLimiter({ limit: codesPerAddress, windowMs: dayMs, clock, maxKeys: maxAddresses });

  mount(contract.getAlertOptions, async () => ({
    push_public_key: (await send.vapidKeys()).publicKey,
    email: send.canEmail,
    ntfy_server: send.ntfyServer ?? null,
  }));

  mount(contract.listAlertChannels, async ({ caller, db }) =>
    (await store.listChannelsOf(db, caller.identityId)).map(channelOf),
  );

  mount(contract.createAlertChannel, async (context) => {
    const { body, caller, db, now } = context;
    const { push, email, language } = body;
    if ((push === undefined) === (email === undefined))
      throw fieldProblem('unprocessable', 'body', 'needs either push or email');
    if (email !== undefined && !send.canEmail)
      throw fieldProblem(
        'unprocessable',
        'body.email',
        'cannot be used: the operator has not set up e-mail (SMTP_URL)',
      );
    const refused = push && refusedUrl(push.endpoint, send);
    if (refused) throw fieldProblem('unprocessable', 'body.push.endpoint', refused);
    const [kind, target] = push
      ? (['push', push.endpoint] as const)
      : (['email', (email ?? '').toLowerCase()] as const);
    if (push) await store.deletePushChannels(db, 'push', target); // it belongs to the person who signed in last
    const known = (await store.listChannelsOf(db, caller.identityId)).find((row) => row.target === target);
    if (known) return channelOf(known);
    await context.checkQuota('alert_channels', caller.identityId);
    const channel: AlertChannelRow = {
      ...noCode,
      id: newId('chn', now),
      identity_id: caller.identityId,
      site_id: null,
      kind,
      name: push ? (body.name ?? '') : target,
      target,
      secret: push ? JSON.stringify(push.keys) : null,
      language,
      verified_at: push ? now : null,
      created_at: now,
      browser_id: push ? await browserOf(caller, db) : null,
    };
    await store.insertChannel(db, channel);
    return channelOf(channel);
  });

  mount(contract.testAlertChannel, async ({ params, caller, db, now }) => {
    const channel = await ownChannel(db, params.channel_id, caller.identityId);
    const id = newId('dlv', now);
    if (channel.verified_at !== null) return tried(send, { id, channel, ...testMessage(channel.language) });
    const { allowed, retryAfterSeconds } = codes.take(channel.target);
    if (!allowed)
      throw new Problem('rate_limited', `${channel.target} was sent ${codesPerAddress} codes today.`, {
        retryAfterSeconds,
      });
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await database.write((write) =>
      store.saveCode(write.db, channel.id, hashOf(channel.id, code), now + codeLifeMs, 0),
    );
    return tried(send, { id, channel, ...codeMessage[channel.language](code, baseUrl()) });
  });

  mount(contract.verifyAlertChannel, async ({ params, body, caller, now }) => {
    // Not in the transaction of the request: a wrong code is counted although the request fails.
    const outcome = await database.write(async ({ db }) => {
      const channel = await ownChannel(db, params.channel_id, caller.identityId);
      if (channel.verified_at !== null) return channel;
      const { id, code_hash, code_expires_at, code_tries } = channel;
      if (code_hash === null || code_expires_at <= now || code_tries >= maxCodeTries) return 'ended';
      if (!sameSecret(hashOf(id, body.code.trim()), code_hash)) {
        await store.countCodeTry(db, id, code_tries + 1);
        return 'wrong';
      }
      await store.verifyChannel(db, id, now, null);
      return { ...channel, verified_at: now };
    });
    if (outcome === 'ended')
      throw new Problem('gone', 'The code has expired or was entered wrongly too often; send a new one.');
    if (outcome === 'wrong') throw fieldProblem('unprocessable', 'body.code', 'is not the code that was sent');
    return channelOf(outcome);
  });

  mount(contract.deleteAlertChannel, async ({ params, caller, db }) => {
    const channel = await ownChannel(db, params.channel_id, caller.identityId);
    await store.deleteChannel(db, channel.id);
  });
}

const hashOf = (id: string, code: string): string => hash('sha256', `${id} ${code}`, 'base64url');

const channelOf = ({
  id,
  kind,
  name,
  target,
  language,
  verified_at,
  created_at,
}: AlertChannelRow): contract.AlertChannel => ({
  id,
  kind: kind === 'push' ? 'push' : 'email',
  name,
  language,
  verified: verified_at !== null,
  created_at: formatTime(created_at),
  ...(kind === 'push' && { endpoint_hash: hash('sha256', target, 'base64url') }),
});

/** Returns the further browser that the caller signed in with. */
const browserOf = async ({ identityId, tokenId }: Caller, db: Db): Promise<string | null> =>
  (await findSignIn(db, identityId, tokenId))?.browser_id ?? null;

async function ownChannel(db: Db, id: string, identityId: string): Promise<AlertChannelRow> {
  const channel = await store.findChannel(db, id);
  if (!channel || channel.identity_id !== identityId)
    throw new Problem('not_found', 'You have no browser or address with this id.');
  return channel;
}
