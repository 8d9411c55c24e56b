import { setTimeout as sleep } from 'node:timers/promises';
import { can } from '#contract/access.ts';
import { urgentRules } from '#contract/cloud/alerts.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import { roleOf } from '../access/caller.ts';
import { findObjectAccess } from '../store/access.ts';
import * as store from '../store/alerts.ts';
import { findIdentity } from '../store/identities.ts';
import type { AlertChannelRow, AlertDeliveryRow, AlertRow, SiteRow } from '../store/schema.ts';
import { getSite } from '../store/sites.ts';
import type { CommonDeps } from '../store/store.ts';
import { sentMessage } from './message.ts';
import { DeliveryError } from './post.ts';
import { quietUntil } from './quiet-hours.ts';
import { giveUpMs } from './raise.ts';
import type { Send } from './send.ts';

const lookEveryMs = 2000;
const claimMs = minuteMs; // longer than any attempt takes
const atOnce = { push: 200, email: 50, webhook: 200, ntfy: 200 }; // mail servers often accept 50 connections of a client
const kinds = ['push', 'email', 'webhook', 'ntfy'] as const satisfies AlertChannelRow['kind'][];
const ofOwner = 50; // of a kind: webhooks that never answer hold up only their owner
const delaysMs = [30_000, minuteMs, 2 * minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs];

const delayAfter = (tries: number): number => delaysMs[tries - 1] ?? hourMs;

type Deps = CommonDeps & Pick<Send, 'send'>;

/** Delivers the stored messages. A message is claimed before it is sent, so that each is sent by one process. */
export function createOutbox({ store: database, clock, log, send }: Deps) {
  const underWay = new Set<Promise<void>>();
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<(typeof kinds)[number], number>;
  const { db } = database;

  async function deliverDue(): Promise<void> {
    for (const kind of kinds) {
      const now = clock.now();
      const limit = atOnce[kind] - counts[kind];
      const due = limit > 0 ? await store.listDueDeliveries(db, kind, now, ofOwner, now, limit) : [];
      if (due.length === 0) continue;
      const claim = { ids: due.map(({ id }) => id), now, until: now + claimMs };
      const claimed = await database.write((write) => store.claimDeliveries(write.db, claim));
      for (const delivery of claimed) begin(delivery);
    }
  }

  function begin(delivery: AlertDeliveryRow): void {
    counts[delivery.channel_kind]++;
    const work = deliver(delivery)
      .catch((error: unknown) =>
        log.error({ err: error, delivery: delivery.id }, 'alert not delivered, will be retried'),
      )
      .finally(() => {
        counts[delivery.channel_kind]--;
        underWay.delete(work);
      });
    underWay.add(work);
  }

  async function deliver(delivery: AlertDeliveryRow): Promise<void> {
    const alert = await store.getAlert(db, delivery.alert_id);
    const site = await getSite(db, alert.site_id);
    const channel = await store.findChannel(db, delivery.channel_id);
    if (!channel || !(await mayReceive(channel, site))) return finish(delivery, 'skipped', 'no access');
    const isClear = delivery.is_clear === 1;
    const wait = await quietEnd(channel, alert, site, isClear);
    if (wait !== undefined)
      return void (await change((write) => store.postponeDelivery(write, delivery.id, wait, wait + giveUpMs, 0, 0)));
    try {
      const { title, body } = sentMessage(
        { rule: alert.rule, facts: JSON.parse(alert.facts), site },
        channel.language,
        isClear,
      );
      const { id, rule, site_id, at } = alert;
      const isUrgent = !isClear && urgentRules.includes(rule);
      const about = { id, rule, site_id, at, state: isClear ? 'clear' : 'alert', isUrgent } as const;
      await send({ id: delivery.id, title, body, channel, alert: about });
      await finish(delivery, 'sent', null);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      await failed(delivery, channel, error);
    }
  }

  async function failed(delivery: AlertDeliveryRow, channel: AlertChannelRow, error: DeliveryError): Promise<void> {
    const { id, tries, give_up_at } = delivery;
    const isEnded = error.isGone && channel.kind === 'push';
    if (isEnded) await change((write) => store.deleteChannel(write, channel.id));
    const dueAt = clock.now() + delayAfter(tries);
    if (!isEnded && dueAt < give_up_at) {
      await change((write) => store.retryDelivery(write, id, dueAt, error.message, 0));
      return;
    }
    log.warn({ delivery: id, kind: channel.kind, reason: error.message }, 'alert not delivered');
    await finish(delivery, 'failed', error.message);
  }

  const finish = async ({ id }: AlertDeliveryRow, status: 'sent' | 'failed' | 'skipped', reason: string | null) => {
    await change((write) => store.finishDelivery(write, id, status, reason, 0));
  };

  const change = <T>(work: (write: typeof db) => Promise<T>): Promise<T> => database.write((write) => work(write.db));

  /** Returns whether a channel may receive messages of a site now: a person needs access, and follows it. */
  async function mayReceive({ identity_id, site_id, verified_at }: AlertChannelRow, site: SiteRow): Promise<boolean> {
    if (identity_id === null) return site_id === site.id;
    const identity = await findIdentity(db, identity_id);
    if (!identity || identity.disabled_at !== null || verified_at === null) return false;
    const access = await findObjectAccess(db, 'site', site.id, identity_id);
    const role = access && roleOf(identity.type, access.role);
    return Boolean(role && can(role, 'read') && (await store.findFollow(db, site.id, identity_id)));
  }

  /** Returns when the quiet hours end that hold up a message now. */
  async function quietEnd(
    { identity_id }: AlertChannelRow,
    { rule }: AlertRow,
    site: SiteRow,
    isClear: boolean,
  ): Promise<number | undefined> {
    const follow = identity_id === null ? undefined : await store.findFollow(db, site.id, identity_id);
    if (!follow || follow.quiet_from === null || follow.quiet_to === null) return undefined;
    if (follow.except_urgent === 1 && urgentRules.includes(rule) && !isClear) return undefined;
    return quietUntil({ from: follow.quiet_from, to: follow.quiet_to }, site.timezone ?? 'UTC', clock.now());
  }

  const schedule = createSchedule(log, [lookEveryMs, deliverDue, 'delivering alerts']);
  return {
    deliverDue,
    start: schedule.start,
    /** Waits for messages that are being sent, as long as an attempt may take. */
    async stop(): Promise<void> {
      schedule.stop();
      await Promise.race([Promise.all(underWay), sleep(5000, undefined, { ref: false })]);
    },
    /** Resolves when everything that was begun has ended. */
    settled: async (): Promise<void> => void (await Promise.all(underWay)),
  };
}
