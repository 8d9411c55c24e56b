import type { AlertRule } from '#contract/cloud/alerts.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import * as store from '../store/alerts.ts';
import type { Db } from '../store/engine.ts';
import type { AlertRow } from '../store/schema.ts';
import { type AlertFacts, clearing } from './message.ts';
import { rulesOf } from './watched-sites.ts';

/** The result of a rule whose condition is true: the ids it concerns, and the facts of its texts. */
export type Finding<Rule extends AlertRule = AlertRule> = { subjects: readonly string[]; facts: AlertFacts[Rule] };

/** Minimum time between two alerts of a rule at a site. */
export const alertEveryMs = hourMs;

/** How long a message is tried. */
export const giveUpMs = dayMs;

/**
 * Stores an alert with a message to each receiver, in the transaction of the caller. Stores nothing if
 * the last alert of the rule names these subjects, or is less than an hour old; then it returns when the hour ends.
 */
export async function raise<Rule extends AlertRule>(
  db: Db,
  siteId: string,
  rule: Rule,
  { subjects, facts }: Finding<Rule>,
  now: number,
  { isEvent = false }: { isEvent?: boolean } = {},
): Promise<{ alert?: AlertRow; mutedUntil?: number }> {
  const last = await store.findLastAlert(db, siteId, rule);
  if (last && (isEvent || last.ended_at === null) && tellsOf(last, subjects)) return {};
  if (last && last.at > now - alertEveryMs && last.at <= now) return { mutedUntil: last.at + alertEveryMs };
  if (last) await store.endAlert(db, last.id, now); // replaced by one that names the new subjects too
  const alert: AlertRow = {
    id: newId('alt', now),
    site_id: siteId,
    rule,
    subjects: JSON.stringify(subjects),
    facts: JSON.stringify(facts),
    at: now,
    ended_at: isEvent ? now : null,
  };
  await store.insertAlert(db, alert);
  for (const receiver of await store.listReceivers(db, siteId, siteId)) {
    await queue(db, alert.id, receiver, { now, isClear: false });
  }
  return { alert };
}

export const tellsOf = ({ subjects }: Pick<AlertRow, 'subjects'>, wanted: readonly string[]): boolean => {
  const known: string[] = JSON.parse(subjects);
  return wanted.every((subject) => known.includes(subject));
};

/** Raises an alert for a failed command, in the transaction that stores its status. */
export async function raiseFailedCommand(
  db: Db,
  { id, siteId, device, reason }: { id: string; siteId: string; device: string; reason: string },
  now: number,
): Promise<void> {
  const watched = await store.findAlertSite(db, siteId);
  if (!watched || !rulesOf(watched.rules).command_failed.enabled) return;
  await raise(db, siteId, 'command_failed', { subjects: [id], facts: { device, reason } }, now, { isEvent: true });
}

/**
 * Ends an open alert. Skips messages that were not sent yet. With `tells`, the receivers of sent messages get an
 * all-clear if the rule has one.
 */
export async function end(db: Db, alert: AlertRow, now: number, { tells }: { tells: boolean }): Promise<void> {
  if (!(await store.endAlert(db, alert.id, now))) return;
  for (const delivery of await store.listDeliveries(db, alert.id)) {
    const { id, status, claimed_until } = delivery;
    const isUnderWay = status === 'waiting' && claimed_until > now;
    if (status === 'waiting' && !isUnderWay) await store.finishDelivery(db, id, 'skipped', 'over', 0);
    if (!tells || !clearing.has(alert.rule) || !(isUnderWay || status === 'sent')) continue;
    const receiver = { id: delivery.channel_id, kind: delivery.channel_kind };
    await queue(db, alert.id, receiver, { now, isClear: true });
  }
}

async function queue(
  db: Db,
  alertId: string,
  { id, kind }: store.Receiver,
  { now, isClear }: { now: number; isClear: boolean },
): Promise<void> {
  await store.insertDelivery(db, {
    id: newId('dlv', now),
    alert_id: alertId,
    channel_id: id,
    channel_kind: kind,
    is_clear: isClear ? 1 : 0,
    status: 'waiting',
    due_at: now,
    give_up_at: now + giveUpMs,
    claimed_until: 0,
    tries: 0,
    reason: null,
  });
}
