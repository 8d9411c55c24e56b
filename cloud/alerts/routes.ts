import * as contract from '#contract/cloud/alerts.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import { newId } from '#lib/id.ts';
import { newSecret } from '#lib/secret.ts';
import { type CloudMount, heldIn } from '../access/door.ts';
import { nextLink, sliceOf } from '../access/paging.ts';
import { audit } from '../organizations/audit.ts';
import * as store from '../store/alerts.ts';
import type { Db } from '../store/engine.ts';
import type { AlertChannelRow, AlertFollowRow } from '../store/schema.ts';
import { getSite } from '../store/sites.ts';
import { messageOf, testMessage } from './message.ts';
import { DeliveryError, refusedUrl } from './post.ts';
import { clockOf, minutesOf } from './quiet-hours.ts';
import type { Outgoing, Send } from './send.ts';
import { rulesOf } from './watched-sites.ts';

type Deps = {
  send: Send;
  /** called when the rules of a site changed */
  onRules(): void;
};

/** Rules, history, followers and webhooks of a site. */
export function siteAlertRoutes(mount: CloudMount, { send, onRules }: Deps): void {
  mount(contract.getAlertRules, ({ params, db }) => readRules(db, params.site_id));

  mount(contract.updateAlertRules, async (context) => {
    const { params, body, db, afterCommit } = context;
    const known = await store.findAlertSite(db, params.site_id);
    const rules = { ...JSON.parse(known?.rules ?? '{}'), ...body };
    await store.saveAlertRules(db, { site_id: params.site_id, rules: JSON.stringify(rules) });
    await audit(context, heldIn(context, 'site').orgId, 'site.changed', params.site_id, { fields: ['alert_rules'] });
    afterCommit(onRules);
    return { site_id: params.site_id, ...rulesOf(JSON.stringify(rules)) };
  });

  mount(contract.listAlerts, async ({ params, query, db }) => {
    const { language = 'en', limit = 100 } = query;
    const site = await getSite(db, params.site_id);
    const rows = await store.listAlerts(db, sliceOf(query), params.site_id);
    const shown = rows.slice(0, limit);
    const counts = await store.countDeliveries(
      db,
      shown.map(({ id }) => id),
    );
    const alerts = shown.map(({ id, rule, facts, at, ended_at }): contract.Alert => {
      const deliveries = { waiting: 0, sent: 0, failed: 0, skipped: 0 };
      for (const { alert_id, status, count } of counts) if (alert_id === id) deliveries[status] = count;
      const texts = messageOf({ rule, facts: JSON.parse(facts), site }, language);
      return {
        id,
        rule,
        ...texts,
        at: formatTime(at),
        ended_at: ended_at === null ? null : formatTime(ended_at),
        deliveries,
      };
    });
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const path = `/sites/${params.site_id}/alerts`;
    return new Answer(200, alerts, last ? { link: nextLink(path, query, last.id) } : {});
  });

  mount(contract.getAlertFollowing, async ({ params, caller, db }) =>
    followingOf(params.site_id, await store.findFollow(db, params.site_id, caller.identityId)),
  );

  mount(contract.updateAlertFollowing, async ({ params, body, caller, db, afterCommit }) => {
    const { site_id } = params;
    if (!body.follows) {
      await store.deleteFollow(db, site_id, caller.identityId);
      return followingOf(site_id, undefined);
    }
    const quiet = body.quiet_hours;
    if (quiet && quiet.from === quiet.to)
      throw fieldProblem('unprocessable', 'body.quiet_hours.to', 'must differ from the start');
    const follow: AlertFollowRow = {
      site_id,
      identity_id: caller.identityId,
      quiet_from: quiet ? minutesOf(quiet.from) : null,
      quiet_to: quiet ? minutesOf(quiet.to) : null,
      except_urgent: quiet?.except_urgent ? 1 : 0,
    };
    await store.saveFollow(db, follow);
    await store.watchSite(db, site_id);
    afterCommit(onRules);
    return followingOf(site_id, follow);
  });

  mount(contract.listAlertHooks, async ({ params, db }) => (await store.listHooks(db, params.site_id)).map(hookOf));

  mount(contract.createAlertHook, async (context) => {
    const { params, body, db, now, afterCommit } = context;
    const { kind, url, language = 'en', access_token: token } = body;
    const problem = problemOfTarget(kind, url, send);
    if (problem) throw fieldProblem('unprocessable', 'body.url', problem);
    if (kind === 'webhook' && token !== undefined)
      throw fieldProblem('unprocessable', 'body.access_token', 'is for ntfy; a webhook is signed instead');
    await context.checkQuota('alert_hooks', params.site_id);
    const secret = kind === 'webhook' ? newSecret() : (token ?? null);
    const channel: AlertChannelRow = {
      ...noCode,
      id: newId('hok', now),
      identity_id: null,
      site_id: params.site_id,
      kind,
      name: body.name ?? originOf(url),
      target: url,
      secret,
      language,
      verified_at: now,
      created_at: now,
      browser_id: null,
    };
    await store.insertChannel(db, channel);
    await store.watchSite(db, params.site_id);
    const details = { fields: ['alert_hooks'], added: channel.id };
    await audit(context, heldIn(context, 'site').orgId, 'site.changed', params.site_id, details);
    afterCommit(onRules);
    return { ...hookOf(channel), ...(kind === 'webhook' && secret && { secret }) };
  });

  mount(contract.deleteAlertHook, async (context) => {
    const { params, db } = context;
    const channel = await ownHook(db, params);
    await store.deleteChannel(db, channel.id);
    const details = { fields: ['alert_hooks'], removed: channel.id };
    await audit(context, heldIn(context, 'site').orgId, 'site.changed', params.site_id, details);
  });

  mount(contract.testAlertHook, async ({ params, db, now }) => {
    const channel = await ownHook(db, params);
    return tried(send, { id: newId('dlv', now), channel, ...testMessage(channel.language) });
  });
}

async function readRules(db: Db, siteId: string): Promise<contract.SiteAlertRules> {
  const known = await store.findAlertSite(db, siteId);
  return { site_id: siteId, ...rulesOf(known?.rules ?? '{}') };
}

/** Sends a message at once, and returns whether it was delivered. */
export async function tried(
  { send }: Pick<Send, 'send'>,
  message: Outgoing,
): Promise<{ delivered: boolean; reason?: string }> {
  try {
    await send(message);
    return { delivered: true };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { delivered: false, reason: error.message };
  }
}

export const noCode = { code_hash: null, code_expires_at: 0, code_tries: 0 };

function followingOf(site_id: string, follow: AlertFollowRow | undefined): contract.AlertFollowing {
  const { quiet_from = null, quiet_to = null, except_urgent } = follow ?? {};
  const hours =
    quiet_from === null || quiet_to === null
      ? undefined
      : { from: clockOf(quiet_from), to: clockOf(quiet_to), except_urgent: except_urgent === 1 };
  return { site_id, follows: follow !== undefined, ...(hours && { quiet_hours: hours }) };
}

const topicName = /^[A-Za-z0-9_-]{1,64}$/;

function problemOfTarget(kind: (typeof contract.hookKinds)[number], url: string, send: Send): string | undefined {
  if (kind === 'webhook') return refusedUrl(url, send);
  if (!url.includes('/')) {
    if (!send.ntfyServer) return 'must be the URL of a topic, because the operator has not set NTFY_URL';
    return topicName.test(url) ? undefined : 'must be the name of a topic: up to 64 of A-Z a-z 0-9 _ -';
  }
  const refused = refusedUrl(url, send);
  if (refused) return refused;
  return topicName.test(url.slice(url.lastIndexOf('/') + 1)) ? undefined : 'must end with the name of a topic';
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const hookOf = ({ id, kind, name, target, language, created_at }: AlertChannelRow): contract.AlertHook => ({
  id,
  kind: kind as (typeof contract.hookKinds)[number],
  name,
  url: URL.canParse(target) ? `${new URL(target).origin}/…` : '…', // a path or a topic may be a secret
  language,
  created_at: formatTime(created_at),
});

async function ownHook(db: Db, params: { site_id: string; hook_id: string }): Promise<AlertChannelRow> {
  const channel = await store.findChannel(db, params.hook_id);
  if (channel?.site_id !== params.site_id)
    throw new Problem('not_found', 'The site has no webhook or topic with this id.');
  return channel;
}
