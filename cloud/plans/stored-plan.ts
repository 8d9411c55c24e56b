import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PlanGoals, SitePlan } from '#contract/cloud/plans.ts';
import type { Db } from '../store/engine.ts';
import { findLastPlan, findPlanSite, listPlanGateways } from '../store/plans.ts';

export type PlanBody = NonNullable<SitePlan['plan']>;

export const pack = (value: unknown): Uint8Array => zstdCompressSync(Buffer.from(JSON.stringify(value)));
export const unpackPlan = (packed: Uint8Array): PlanBody => JSON.parse(zstdDecompressSync(packed).toString());

/** Reads the current plan of a site, and what became of it. */
export async function readPlan(db: Db, goals: PlanGoals, now: number): Promise<SitePlan> {
  const { site_id, mode } = goals;
  const stored = await findPlanSite(db, site_id);
  const none = { site_id, mode, plan: null, progress: null };
  if (!stored || mode === 'off') return { ...none, status: 'off', message: null };
  const last = await findLastPlan(db, site_id);
  const plan = last ? unpackPlan(last.result) : null;
  const found = { site_id, mode, plan, ...(mode === 'control' ? await readProgress(db, site_id) : { progress: null }) };
  const { paused_until } = goals;
  if (paused_until !== null && Date.parse(paused_until) > now) return { ...found, status: 'paused', message: null };
  const { status, message } = stored;
  return { ...found, status: status === 'current' && !plan ? 'waiting' : status, message };
}

/** Returns the progress of each gateway, and of the one that has the most to tell: one that does not follow the plan. */
async function readProgress(db: Db, siteId: string) {
  const rows = await listPlanGateways(db, siteId);
  const known = rows.map(({ serial, plan_id, progress }) => ({
    plan_id,
    gateway_serial: serial,
    progress: progress === null ? null : (JSON.parse(progress) as NonNullable<SitePlan['progress']>),
  }));
  const reported = known.flatMap(({ progress }) => progress ?? []);
  return {
    progress: reported.find(({ state }) => state !== 'following') ?? reported[0] ?? null,
    gateways: known.flatMap(({ plan_id, ...each }) => (plan_id === null ? [] : each)),
  };
}
