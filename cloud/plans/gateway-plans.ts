import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GatewayPlan,
  maxPlanBytes,
  maxPlanHours,
  PlanProgress,
  planType,
  type SignedPlan,
} from '#contract/gateway-plan.ts';
import { hourMs } from '#contract/time.ts';
import { offsetAt } from '#contract/time-zone.ts';
import { planTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { validator } from '#lib/http/validate.ts';
import { isObject, parseJson } from '#lib/json.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { gatewaySteps } from '#plan/gateway-steps.ts';
import type { Context } from '../access/door.ts';
import type { Transport } from '../broker/transport.ts';
import type { KeyRing } from '../identity/key-ring.ts';
import type { PlanGatewayRow } from '../store/plan-rows.ts';
import * as queries from '../store/plans.ts';
import type { Store, Write } from '../store/store.ts';
import type { MadePlan } from './make-plan.ts';

type Deps = {
  store: Pick<Store, 'db' | 'write'>;
  transport: Pick<Transport, 'publish'>;
  keys: Pick<KeyRing, 'signTyped'>;
  deploymentId: string;
  clock: Clock;
  log: Logger;
};

export type GatewayPlans = ReturnType<typeof createGatewayPlans>;

const maxRemembered = 200_000;
const pauseMs = 1000; // between two reports of a gateway, whatever it sends
const roomForSignature = 0.7; // base64 adds a third
const isProgress = validator(PlanProgress, 'body', 'ignore');

/** Sends plans to gateways, and again to those that missed one. */
export function createGatewayPlans({ store, transport, keys, deploymentId, clock, log }: Deps) {
  const reported = new RecentMap<string>(maxRemembered); // by gateway, what it last said of its plan
  const newest = new Map<string, PlanProgress | undefined>(); // the last report of gateways that are being compared

  function send({ serial, plan }: Pick<PlanGatewayRow, 'serial' | 'plan'>): void {
    const message: SignedPlan = {
      iss: deploymentId,
      aud: serial,
      iat: Math.floor(clock.now() / 1000),
      plan: plan === null ? null : (JSON.parse(plan) as GatewayPlan),
    };
    reported.delete(serial);
    transport.publish(planTopic(serial), keys.signTyped(planType, message));
  }

  /** Saves what a gateway reported, and sends its plan again if it has another one. */
  async function compare(serial: string, progress: PlanProgress | undefined): Promise<void> {
    const row = await queries.findPlanGateway(store.db, serial);
    if (!row) return;
    const text = progress ? JSON.stringify(progress) : null;
    if (row.plan_id === null && !progress) await store.write(({ db }) => queries.deletePlanGateway(db, serial));
    else if (text !== row.progress) await store.write(({ db }) => queries.saveProgress(db, serial, text));
    if (row.plan_id !== (progress?.id ?? null)) {
      const key = keyOf(progress);
      send(row);
      reported.set(serial, key); // sent once for each report
    }
  }

  /** Compares the reports of a gateway one after the other; those that are replaced while they wait are left out. */
  async function follow(serial: string): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst) await sleep(pauseMs, undefined, { ref: false });
      const progress = newest.get(serial);
      try {
        await compare(serial, progress);
      } catch (err) {
        reported.delete(serial);
        log.warn({ err, serial }, 'progress of a plan not saved');
      }
      if (newest.get(serial) === progress) break;
    }
    newest.delete(serial);
  }

  return {
    /** Saves the plans of the gateways of a site, and sends them after the commit. Withdraws those of other gateways. */
    async update(
      { db, afterCommit }: Pick<Write, 'db' | 'afterCommit'>,
      siteId: string,
      plans: readonly GatewayPlanOf[],
    ) {
      const before = await queries.listPlanGateways(db, siteId);
      const left = before.filter(
        ({ serial, plan_id }) => plan_id !== null && !plans.some((each) => each.serial === serial),
      );
      for (const { serial } of left) {
        await queries.savePlanGateway(db, { serial, site_id: siteId, plan_id: null, plan: null, progress: null });
        afterCommit(() => send({ serial, plan: null }));
      }
      for (const { serial, plan } of plans) {
        const text = JSON.stringify(plan);
        await queries.savePlanGateway(db, { serial, site_id: siteId, plan_id: plan.id, plan: text, progress: null });
        afterCommit(() => send({ serial, plan: text }));
      }
    },

    /** Withdraws the plan of a gateway that leaves its organization, and plans its site again without it. */
    async withdraw({ db, afterCommit, now }: Pick<Context, 'db' | 'afterCommit' | 'now'>, serial: string) {
      const row = await queries.findPlanGateway(db, serial);
      if (!row || row.plan_id === null) return;
      await queries.savePlanGateway(db, { serial, site_id: null, plan_id: null, plan: null, progress: null });
      afterCommit(() => send({ serial, plan: null }));
      if (row.site_id !== null) await queries.setDue(db, row.site_id, now, 'A gateway left the site.');
    },

    /** Withdraws the plans of sites that were deleted together with something else, such as their organization. */
    async withdrawLeft(): Promise<void> {
      for (const { serial } of await queries.listLeftGateways(store.db)) {
        await store.write(({ db }) =>
          queries.savePlanGateway(db, { serial, site_id: null, plan_id: null, plan: null, progress: null }),
        );
        send({ serial, plan: null });
      }
    },

    /** Reads what the state message of a gateway says of its plan. */
    state(serial: string, payload: Uint8Array): void {
      const progress = progressIn(payload);
      if (progress === 'offline') return void reported.delete(serial);
      const key = keyOf(progress);
      if (reported.get(serial) === key) return;
      reported.set(serial, key);
      const isFollowed = newest.has(serial);
      newest.set(serial, progress);
      if (!isFollowed) void follow(serial);
    },
  };
}

const keyOf = (progress: PlanProgress | undefined): string => (progress ? JSON.stringify(progress) : '');

function progressIn(payload: Uint8Array): PlanProgress | 'offline' | undefined {
  try {
    const state: unknown = parseJson(payload);
    if (!isObject(state)) return undefined;
    if (state.online === false) return 'offline';
    return isProgress(state.plan) ? state.plan : undefined;
  } catch {
    return undefined;
  }
}

export type GatewayPlanOf = { serial: string; plan: GatewayPlan };

/** Returns the plan of each gateway that holds storages, or inverters that may be curtailed. */
export function gatewayPlansOf(id: string, { known, found, answer }: MadePlan): GatewayPlanOf[] {
  const { problem, storages } = found;
  const { goals, ders, now, fuse_a } = known;
  const curtails = problem.solar_curtailable ? ders.filter(({ type }) => type === 'solar') : [];
  const serials = new Set([...storages.map(({ der }) => der.serial), ...curtails.map(({ serial }) => serial)]);
  const first = Date.parse(problem.start);
  return Array.from(serials, (serial) => {
    const own = storages.filter(({ der }) => der.serial === serial);
    const solar = [...new Set(curtails.filter((der) => der.serial === serial).map(({ sn }) => sn))];
    const planFor = (hours: number): GatewayPlan => {
      const steps = gatewaySteps(problem, answer, hours).map((step) => ({
        ...step,
        intents: Object.fromEntries(own.map(({ storage }) => [storage.id, step.intents[storage.id]!])),
      }));
      return {
        id,
        made_at: now,
        ends_at: first + hours * hourMs,
        window_s: problem.peak_fees?.[0]?.window_s ?? hourMs / 1000,
        utc_offset_s: offsetAt(problem.timezone, now) / 1000,
        storages: own.map(({ der, storage }) => ({
          id: storage.id,
          sn: der.sn,
          kind: storage.kind === 'car' ? 'car' : 'battery',
          capacity_wh: storage.capacity_wh,
          min_wh: storage.min_wh,
          max_wh: storage.max_wh,
          charge_w: storage.charge_w,
          discharge_w: storage.discharge_w,
          ...(storage.charge_min_w !== undefined && { charge_min_w: storage.charge_min_w }),
          ...(storage.kind === 'battery' && { for_car: goals.battery_for_car }),
        })),
        steps,
        ...(fuse_a !== undefined && { fuse_a }),
        ...(goals.max_import_w !== null && { import_limit_w: goals.max_import_w }),
        ...(solar.length > 0 && { solar: solar.slice(0, 16) }),
      };
    };
    const fits = (hours: number): boolean => JSON.stringify(planFor(hours)).length < maxPlanBytes * roomForSignature;
    const hours = [maxPlanHours, maxPlanHours / 2, maxPlanHours / 4].find(fits) ?? maxPlanHours / 8;
    return { serial, plan: planFor(hours) };
  });
}
