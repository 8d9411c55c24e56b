import { heldCommand } from '#contract/cloud/commands.ts';
import * as contract from '#contract/cloud/orders.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { isCurrentAt, minuteMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import { newId } from '#lib/id.ts';
import { authorize } from '../access/authorize.ts';
import type { Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { findCommand, listCommands, updateCommandStatus } from '../store/commands.ts';
import { getDer } from '../store/devices.ts';
import { findGateway } from '../store/gateways.ts';
import { findName } from '../store/names.ts';
import * as store from '../store/orders.ts';
import type { CommandRow, OrderRow } from '../store/schema.ts';
import { getSite } from '../store/sites.ts';
import type { CommonDeps, Write } from '../store/store.ts';
import type { Latest } from '../telemetry/live.ts';
import { type CommandTarget, checkPower, commandOf, findAddressee, moved, storeCommand } from './commands.ts';
import { type OrderBody, type PricesOf, spanOf } from './order-span.ts';
import { endByItself, endOpenOrder, mayStillControl, orderFor } from './orders.ts';
import { newest } from './release.ts';
import { type CommandTracking, unanswered } from './tracking.ts';

const lookMs = 1000;
const leaseMs = 20 * minuteMs; // the device is controlled for so long at most if the platform fails
const renewMs = leaseMs / 2; // before the end of a lease: a gateway may be away for so long
const answerMs = 30_000;
const offlineMs = 15_000;
const targetMs = 30_000; // how often the state of charge is compared
const maxLooks = 200; // at once
const fullPct = 99.5; // some batteries never report more

type Values = Record<string, unknown>;

/** Returns the state of charge in percent, if the reading has one. */
function chargeOf(values: Values | undefined): number | undefined {
  const { SoC_nom_fract, vehicle_soc_fract } = values ?? {};
  const fract = SoC_nom_fract ?? vehicle_soc_fract;
  return typeof fract === 'number' ? fract * 100 : undefined;
}

const isReached = (power_w: number, target: number, charge: number): boolean =>
  power_w < 0 ? charge <= target : charge >= Math.min(target, fullPct);

export type Holding = ReturnType<typeof createHolding>;

export type HoldingDeps = CommonDeps & {
  latest: Pick<Latest, 'get'>;
  tracking: Pick<CommandTracking, 'canSend' | 'send' | 'release'>;
  pricesOf: PricesOf;
};

/**
 * Holds orders: sends a lease of each, and the next one before it ends. Whichever process looks at a due order first moves its
 * time in the same transaction, so that one process renews it.
 */
export function createHolding({ store: database, latest, tracking, pricesOf, clock, log }: HoldingDeps) {
  const readingOf = async (no: number) => (await latest.get([no])).get(no);

  async function create(context: Context & { params: { der_id: string }; body: OrderBody }): Promise<contract.Order> {
    const { params, query, body, caller, now } = { query: {}, ...context };
    const { der_id } = params;
    const der = await getDer(context.db, der_id);
    const span = await spanOf(body, await getSite(context.db, der.site_id), now, pricesOf);
    const reading = await readingOf(der.no);
    const order: OrderRow = {
      id: newId('ord', now),
      der_id,
      power_w: body.power_w,
      target_soc_pct: body.until_soc_pct ?? null,
      ...span,
      due_at: span.starts_at,
      command_id: null,
      failures: 0,
      applied_at: null,
      created_at: now,
      created_by: caller.identityId,
      created_by_name: await findName(context.db, 'identity', caller.identityId),
      client_id: caller.application?.clientId ?? null,
      ended_at: null,
      ended_by: null,
      message: null,
    };
    await database.write(async (write) => {
      const { db } = write;
      await authorize(contract.createOrder.access, caller, { params, query, body }, db); // prices may have taken a while
      const target = await findAddressee(db, der_id);
      checkPower(target, body.power_w, reading?.values ?? null);
      checkTarget(body, target, reading && isCurrentAt(reading.at, now) ? reading.values : undefined);
      const replaced = await endOpenOrder(db, der_id, 'replaced', now);
      if (!replaced) await checkRoom(write, target);
      await store.insertOrder(db, order);
      const { power_w, kind, starts_at, ends_at } = order;
      const details = { der_id, power_w, kind, starts_at, ends_at, ...(replaced && { replaced: replaced.id }) };
      await audit({ db, now, caller }, target.device.org_id, 'order.created', order.id, details);
      const isHeld = heldCommand((await listCommands(db, newest, der_id)).map(commandOf));
      if (isHeld && order.starts_at > now) release(write, target, now);
    });
    if (order.starts_at <= now) await look({ id: order.id, no: der.no });
    return orderFor(caller, now)(order);
  }

  function release({ afterCommit }: Pick<Write, 'afterCommit'>, { topic }: CommandTarget, now: number): void {
    afterCommit(() => tracking.release({ topic, payload: JSON.stringify({ action: 'release', timestamp: now }) }));
  }

  async function look({ id, no }: store.DueOrder): Promise<void> {
    const reading = await readingOf(no);
    await database.write(async (write) => {
      const now = clock.now();
      const order = await store.findOrder(write.db, id);
      if (!order || order.ended_at !== null || order.due_at > now) return; // another process was first
      const last = order.command_id === null ? undefined : await findCommand(write.db, order.command_id);
      try {
        const target = await findAddressee(write.db, order.der_id);
        const end = await endOf(order, reading?.values, write, now);
        if (!end) return await renew(order, last, target, write, now);
        await endByItself(write.db, order, end, now);
        if (end !== 'time' && last && last.expires_at > now) release(write, target, now);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        await endByItself(write.db, order, 'failed', now, error.message); // the device is orphaned
      }
    });
  }

  async function endOf(
    order: OrderRow,
    values: Values | undefined,
    { db }: Pick<Write, 'db'>,
    now: number,
  ): Promise<contract.EndReason | undefined> {
    if (order.ends_at <= now) return 'time';
    const charge = chargeOf(values);
    const { target_soc_pct: target, power_w } = order;
    if (target !== null && charge !== undefined && isReached(power_w, target, charge)) return 'target';
    return (await mayStillControl(db, order, now)) ? undefined : 'no_access';
  }

  /** Sends the next lease if it is time, and notes when to look again. */
  async function renew(
    order: OrderRow,
    last: CommandRow | undefined,
    target: CommandTarget,
    { db, afterCommit }: Write,
    now: number,
  ): Promise<void> {
    const { id, power_w, target_soc_pct, ends_at } = order;
    const renewAt = last ? renewalOf(last, ends_at, now) : now;
    if (renewAt > now) {
      const dueAt = target_soc_pct === null ? renewAt : Math.min(renewAt, now + targetMs);
      return void (await store.postponeOrder(db, id, dueAt, null));
    }
    const gateway = await findGateway(db, target.device.gateway_serial);
    if (gateway?.online !== 1) {
      return void (await store.postponeOrder(db, id, now + offlineMs, contract.gatewayAway));
    }
    if (last && (last.status === 'queued' || last.status === 'sent')) {
      const { status, history } = moved(last, 'expired', now, unanswered);
      await updateCommandStatus(db, last.id, status, history);
    }
    const ttl_s = Math.ceil(Math.min(leaseMs, ends_at - now) / 1000);
    const { created_by, created_by_name } = order;
    const queued = await storeCommand(db, target, now, { power_w, ttl_s, created_by, created_by_name, order_id: id });
    await store.renewOrder(db, id, now + answerMs, queued.command.id, null);
    afterCommit(() => tracking.send(queued));
  }

  async function pass(): Promise<void> {
    if (!tracking.canSend) return;
    for (const due of await store.listDueOrders(database.db, clock.now(), maxLooks)) await look(due);
  }

  return { create, pass, ...createSchedule(log, [lookMs, pass, 'renewing the commands of orders']) };
}

/** Returns when a lease has to be followed by the next one. */
function renewalOf({ status, created_at, expires_at }: CommandRow, endsAt: number, now: number): number {
  if (status === 'queued' || status === 'sent') return created_at + answerMs;
  if (status !== 'applied') return now; // it ended early, because the gateway restarted or the device was silent
  return expires_at >= endsAt ? endsAt : expires_at - renewMs;
}

/** Refuses a state of charge that cannot be reached, or compared. */
function checkTarget(
  { power_w, until_soc_pct }: OrderBody,
  { control }: CommandTarget,
  values: Values | undefined,
): void {
  if (until_soc_pct === undefined) return;
  const refuse = (why: string): Problem => fieldProblem('unprocessable', 'body.until_soc_pct', why);
  if (control === 'pv' || power_w === 0) throw refuse('is only for charging and discharging');
  const charge = chargeOf(values);
  if (charge === undefined) throw refuse('the device reports no state of charge at the moment; give a duration');
  if (isReached(power_w, until_soc_pct, charge)) throw refuse(`the state of charge is ${Math.round(charge)} % already`);
}

/** Limits what one site makes the platform renew. */
async function checkRoom({ db }: Pick<Write, 'db'>, { device }: CommandTarget): Promise<void> {
  const open = await store.listOpenOrders(db, device.site_id, contract.maxOrdersPerSite);
  if (open.length < contract.maxOrdersPerSite) return;
  throw new Problem('quota_exceeded', `The site has ${open.length} orders, which is the limit. End one first.`);
}
