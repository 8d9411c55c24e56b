import { hash } from 'node:crypto';
import * as contract from '#contract/cloud/browsers.ts';
import type { AuditAction } from '#contract/cloud/organizations.ts';
import { confirmMessage, joinMessage, pairingMinutes, pairingPage } from '#contract/pairing.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import { newSecret } from '#lib/secret.ts';
import { announceAccess } from '../access/access-version.ts';
import type { CloudMount, Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import * as store from '../store/browsers.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity, findIdentityByKey } from '../store/identities.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import type { BrowserRow, IdentityRow, PairingRow } from '../store/schema.ts';
import { describeProgram } from './describe-program.ts';
import { algorithmOf, keyFromBody } from './register.ts';
import { endSignInsOfBrowser } from './sessions.ts';

const lifeMs = pairingMinutes * minuteMs;

// 256 random bits: a slow hash would add nothing.
const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** Adds further browsers to an identity: a link invites one, which shows its own key, and a browser with a key confirms it. */
export function browserRoutes(mount: CloudMount, { baseUrl }: { baseUrl(): string }): void {
  mount(contract.listBrowsers, async ({ caller, db }) =>
    (await store.listBrowsers(db, caller.identityId)).map(browserOf),
  );

  mount(contract.removeBrowser, async (context) => {
    const { params, caller, db } = context;
    const browser = await store.findBrowser(db, caller.identityId, params.browser_id);
    if (!browser) throw new Problem('not_found', 'You have added no browser with this id.');
    await store.deleteBrowser(db, browser.id);
    await endSignInsOfBrowser(context, browser);
    await announceAccess(context, { identityId: caller.identityId });
    await auditEverywhere(context, 'identity.browser_removed', browser);
  });

  mount(contract.startPairing, async ({ caller, db, now }) => {
    await checkCount(db, caller.identityId);
    const secret = newSecret();
    const pairing: PairingRow = {
      identity_id: caller.identityId,
      id: newId('par', now),
      secret_hash: hashOf(secret),
      public_key: null,
      description: null,
      expires_at: now + lifeMs,
      confirmed_at: null,
    };
    await store.savePairing(db, pairing);
    const { id, expires_at } = pairing;
    return { id, url: `${baseUrl()}${pairingPage}#${secret}`, expires_at: formatTime(expires_at) };
  });

  mount(contract.getPairing, async ({ caller, db, now }) => {
    const pairing = await store.findPairing(db, caller.identityId, now);
    return { pairing: pairing && pairing.confirmed_at === null ? pairingOf(pairing) : null };
  });

  mount(contract.cancelPairing, async ({ caller, db }) => {
    await store.deletePairing(db, caller.identityId);
  });

  mount(contract.joinPairing, async ({ body, db, now, headers }) => {
    const key = keyFromBody(body.public_key);
    const pairing = await store.findPairingBySecret(db, hashOf(body.secret), now);
    if (!pairing || (pairing.public_key ?? key.text) !== key.text) throw ended();
    if (!verifySignature(key, joinMessage(body.secret, key.text), body.signature)) throw wrongSignature();
    const identity = await findIdentity(db, pairing.identity_id);
    if (!identity || identity.disabled_at !== null) throw ended();
    if (pairing.public_key === null) {
      checkAlgorithm(key, identity);
      if (await findIdentityByKey(db, key.text)) throw inUse();
      await store.setJoined(db, pairing.id, key.text, describeProgram(headers['user-agent']));
    }
    return {
      state: pairing.confirmed_at === null ? ('waiting' as const) : ('confirmed' as const),
      name: identity.name,
      expires_at: formatTime(pairing.expires_at),
    };
  });

  mount(contract.confirmPairing, async (context) => {
    const { body, caller, db, now } = context;
    const { identityId } = caller;
    const key = keyFromBody(body.public_key);
    const pairing = await store.findPairing(db, identityId, now);
    if (!pairing || pairing.confirmed_at !== null) throw ended();
    if (pairing.public_key !== key.text) {
      throw new Problem('conflict', 'This is not the key of the browser that opened the link.');
    }
    const message = confirmMessage({ identityId, pairingId: pairing.id, publicKey: key.text });
    const keys = await keysOf(identityId, db);
    if (!keys.some((own) => verifySignature(own, message, body.signature))) throw wrongSignature();
    await checkCount(db, identityId);
    if (await findIdentityByKey(db, key.text)) throw inUse();
    const browser: BrowserRow = {
      id: newId('brw', now),
      identity_id: identityId,
      public_key: key.text,
      description: pairing.description ?? '',
      created_at: now,
    };
    await store.insertBrowser(db, browser);
    await store.setConfirmed(db, pairing.id, now);
    await auditEverywhere(context, 'identity.browser_added', browser);
    return browserOf(browser);
  });
}

const ended = (): Problem =>
  new Problem('gone', 'This link is unknown, has expired, was withdrawn, or was opened by another browser.');

const wrongSignature = (): Problem =>
  new Problem(
    'signature_invalid',
    'The signature does not match this key and the message that the documentation names.',
  );

const inUse = (): Problem =>
  new Problem('conflict', 'This key is registered already; a browser is added with a new key.');

async function checkCount(db: Db, identityId: string): Promise<void> {
  if ((await store.listBrowsers(db, identityId)).length < contract.maxBrowsers) return;
  throw new Problem('quota_exceeded', `You have added ${contract.maxBrowsers} browsers; remove one first.`);
}

function checkAlgorithm(key: PublicKey, { type }: IdentityRow): void {
  const needed = algorithmOf[type];
  if (key.algorithm === needed) return;
  throw fieldProblem('unprocessable', 'body.public_key', `must be an ${needed} key, this one is ${key.algorithm}`);
}

async function keysOf(identityId: string, db: Db): Promise<PublicKey[]> {
  const first = await findIdentity(db, identityId);
  const rows = [...(first ? [first] : []), ...(await store.listBrowsers(db, identityId))];
  return rows.map(({ public_key }) => parsePublicKey(public_key));
}

/** Adds an entry to every organization of the caller: its other members rely on who can act there. */
async function auditEverywhere(context: Context, action: AuditAction, { id, description }: BrowserRow): Promise<void> {
  const { identityId } = context.caller;
  for (const orgId of await listOrganizationIdsOf(context.db, identityId, '')) {
    await audit(context, orgId, action, identityId, { browser: id, description });
  }
}

const browserOf = ({ id, description, created_at }: BrowserRow): contract.Browser => ({
  id,
  description,
  created_at: formatTime(created_at),
});

const pairingOf = ({ id, expires_at, public_key, description }: PairingRow): contract.Pairing => ({
  id,
  expires_at: formatTime(expires_at),
  browser: public_key === null ? null : { public_key, description: description ?? '' },
});
