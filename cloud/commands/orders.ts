import { can } from '#contract/access.ts';
import type { CommandStatus } from '#contract/cloud/commands.ts';
import type { EndReason, Order, OrderStatus } from '#contract/cloud/orders.ts';
import { heldLocally, overriddenLocally, releaseRequested } from '#contract/command.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { type Caller, roleOf } from '../access/caller.ts';
import { audit } from '../organizations/audit.ts';
import { findObjectAccess } from '../store/access.ts';
import { getDer, getDevice } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity } from '../store/identities.ts';
import { findConsent } from '../store/oauth.ts';
import * as store from '../store/orders.ts';
import type { CommandRow, OrderRow } from '../store/schema.ts';

/** Message of a command that could not be published. */
export const unreachable = 'The broker could not be reached.';

const releasedAtGateway = 'The device was returned to automatic at the gateway.';
// With the wording of gateways of 0.1.0: a person at home takes precedence there, too.
const releaseReasons: readonly unknown[] = [releaseRequested, 'It was asked for.'];
const localReasons: readonly unknown[] = [overriddenLocally, 'A local command overrides it.', heldLocally];
const maxFailures = 3; // in a row, after the first success: a gateway that restarts has not found its devices yet
const retryFailedMs = minuteMs;

const statusOf = ({ ended_at, starts_at }: OrderRow, now: number): OrderStatus => {
  if (ended_at !== null) return 'ended';
  return starts_at > now ? 'waiting' : 'held';
};

/** Returns an order as the caller sees it; an application was not granted the names of others. */
export const orderFor =
  ({ application }: Caller, now = Number.POSITIVE_INFINITY) =>
  (row: OrderRow): Order => ({
    id: row.id,
    der_id: row.der_id,
    power_w: row.power_w,
    kind: row.kind,
    ...(row.target_soc_pct !== null && { target_soc_pct: row.target_soc_pct }),
    status: statusOf(row, now),
    starts_at: formatTime(row.starts_at),
    ends_at: formatTime(row.ends_at),
    created_at: formatTime(row.created_at),
    created_by: row.created_by,
    ...(!application && row.created_by_name !== null && { created_by_name: row.created_by_name }),
    ...(row.ended_at !== null && { ended_at: formatTime(row.ended_at) }),
    ...(row.ended_by !== null && { ended_by: row.ended_by }),
    ...(row.message !== null && { message: row.message }),
  });

/** Ends the order for a DER, if there is one, and returns it. */
export async function endOpenOrder(
  db: Db,
  derId: string,
  endedBy: EndReason,
  now: number,
): Promise<OrderRow | undefined> {
  const order = await store.findOpenOrder(db, derId);
  return order && endOrder(db, order, endedBy, now);
}

export async function endOrder(
  db: Db,
  order: OrderRow,
  ended_by: EndReason,
  ended_at: number,
  message: string | null = null,
): Promise<OrderRow> {
  await store.endOrder(db, order.id, ended_at, ended_by, message);
  return { ...order, ended_at, ended_by, message };
}

/** Ends an order for a reason that no person gave. */
export async function endByItself(
  db: Db,
  order: OrderRow,
  endedBy: EndReason,
  now: number,
  message: string | null = null,
): Promise<void> {
  await endOrder(db, order, endedBy, now, message);
  const { der_id, power_w } = order;
  const { org_id } = await getDevice(db, (await getDer(db, der_id)).device_id);
  const change = { db, now, caller: { identityId: 'platform' } };
  const details = { der_id, power_w, ended_by: endedBy, ...(message !== null && { message }) };
  await audit(change, org_id, 'order.ended', order.id, details);
}

/** Notes what became of a lease of an order, in the transaction that stores its status. */
export async function noteLease(
  db: Db,
  { id, order_id }: CommandRow,
  status: CommandStatus,
  message: string | undefined,
  now: number,
): Promise<void> {
  const order = order_id === null ? undefined : await store.findOrder(db, order_id);
  if (!order || order.ended_at !== null || order.command_id !== id) return;
  if (status === 'applied') await store.noteOrderApplied(db, order.id, order.applied_at ?? now, 0, null);
  if (status === 'released' && releaseReasons.includes(message))
    await endByItself(db, order, 'person', now, releasedAtGateway);
  if (status !== 'failed' || message === unreachable) return;
  const failures = order.failures + 1;
  const reason = message ?? 'The gateway gave no reason.';
  if (localReasons.includes(message) || order.applied_at === null || failures >= maxFailures)
    await endByItself(db, order, 'failed', now, reason);
  else await store.noteOrderFailed(db, order.id, failures, now + retryFailedMs, reason);
}

/** Returns whether the person who gave an order may still control the DER, and the application still act for the person. */
export async function mayStillControl(
  db: Db,
  { der_id, created_by, client_id }: OrderRow,
  now: number,
): Promise<boolean> {
  const identity = await findIdentity(db, created_by);
  const access = await findObjectAccess(db, 'der', der_id, created_by);
  const role = identity && access && roleOf(identity.type, access.role);
  if (!role || identity.disabled_at !== null || !can(role, 'control')) return false;
  if (client_id === null) return true;
  const consent = await findConsent(db, created_by, client_id);
  if (!consent || consent.expires_at <= now) return false;
  const orgIds: string[] = JSON.parse(consent.org_ids);
  return consent.scopes.split(' ').includes('control:ders') && orgIds.includes(access.org_id);
}
