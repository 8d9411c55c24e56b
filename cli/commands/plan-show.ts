import { getSitePlan, type PlanReport, reportsOf, type SitePlan, type SitePlanStep } from '#contract/cloud/plans.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { hourMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { plainMessage } from '../line/plain-message.ts';
import { formatEnergy, formatPower } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { formatLocalTime } from '../line/time.ts';
import { whyOf } from '../plan/why.ts';
import { formatMoney } from '../prices/bill-text.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns } from '../terminal/output.ts';

export const show = report('plan show', {
  summary: 'Show the plan of a site: what happens next, and why',
  options: { site: siteOption },
  examples: ['plan show', 'plan show --site "My house" --json'],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const site = await findSite(api, options.site);
    const found = await api.call(getSitePlan, { params: { site_id: site.id } });
    return { result: found, text: planText(found, site, systemClock.now()) };
  },
});

const statusTexts: Record<SitePlan['status'], string> = {
  off: 'Plans are off. Switch them on with: ohmstead plan goals --mode show',
  paused: 'Plans are paused; devices are in automatic mode.',
  waiting: 'The next plan is being made.',
  current: 'The plan is current.',
  failed: 'The last attempt to make a plan failed; the one before it continues until it ends.',
};

const unconfirmed =
  'The gateway has not confirmed this plan. If that lasts for minutes, it is offline or has an older version than the platform.';

const shownMs = 24 * hourMs;

type Plan = NonNullable<SitePlan['plan']>;

/** Describes a plan: first what it costs and saves, then the next 24 hours. */
function planText(found: SitePlan, { timezone = 'UTC' }: Site, now: number): string {
  const { status, message, mode, plan } = found;
  const head = [
    status === 'current' ? statusTexts.current : (message ?? statusTexts[status]),
    ...reportsOf(found).map(reportText),
    ...(mode === 'show' ? ['It is only shown, not carried out (plan goals --mode control).'] : []),
  ];
  if (!plan) return head.join('\n');
  const summary = [
    `${plan.sentence} Expected cost ${formatMoney(plan.cost.total)} ${plan.currency}.`,
    ...plan.relaxed.map((miss) => missText(plan, miss)),
    ...[...(plan.not_planned ?? []), ...plan.assumed].map((sentence) => plainMessage(sentence, show)),
  ];
  const ahead = plan.steps.filter(({ start, end }) => Date.parse(end) > now && Date.parse(start) < now + shownMs);
  const rows = runsOf(plan, ahead).map((run) => rowOf(plan, run, timezone));
  const names = plan.storages.map(({ name }) => name.toUpperCase());
  const table = columns([['', '', `${plan.currency}/KWH`, 'SUN', 'HOUSE', ...names, 'WHY'], ...rows], [2, 3, 4]);
  return [[...head, ...summary].join('\n'), table].join('\n\n');
}

function reportText({ gateway_serial: serial, progress }: PlanReport): string {
  if (!progress) return serial ? `${serial}: ${unconfirmed}` : unconfirmed;
  return `${serial ?? 'The gateway'}: ${progress.state}. ${progress.message ?? ''}`.trim();
}

/** Says what a plan could not keep, and by how much. */
function missText({ storages }: Plan, { what, storage, wh }: Plan['relaxed'][number]): string {
  const name = storages.find(({ der_id }) => der_id === storage)?.name ?? storage;
  const energy = formatEnergy(wh);
  if (what === 'goal') return `Not kept: ${name} has ${energy} less than the goals ask for.`;
  if (what === 'import_limit') return `Not kept: the limit of import is exceeded by ${energy} in total.`;
  if (what === 'export_limit') return `Not kept: the limit of export is exceeded by ${energy} in total.`;
  return `Not kept: the limits of ${name}, by ${energy}.`;
}

const similarShare = 0.25; // of the highest price of a row, by which its prices may differ

/** Groups neighbouring steps in which the storages do the same, for the same reason and at similar prices. */
function runsOf(plan: Plan, steps: readonly SitePlanStep[]): SitePlanStep[][] {
  const { storages } = plan;
  const keyOf = (step: SitePlanStep): string => {
    const directions = storages.map(({ der_id }) => Math.sign(powerOf(step, der_id)));
    const codes = storages.map(({ der_id }) => step.storages[der_id]?.reason?.code);
    return [step.reason.code, step.is_price_assumed, ...directions, ...codes].join();
  };
  const runs: SitePlanStep[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    if (run && keyOf(run[0]!) === keyOf(step) && areSimilar([...run, step])) run.push(step);
    else runs.push([step]);
  }
  return runs;
}

function areSimilar(steps: readonly SitePlanStep[]): boolean {
  const prices = steps.map(({ import_price }) => import_price);
  return Math.max(...prices) - Math.min(...prices) <= similarShare * Math.max(...prices.map(Math.abs));
}

const idleW = 1; // less is rounding

/** Returns the power of a storage in a step, W; charging is positive. */
function powerOf({ storages }: SitePlanStep, derId: string): number {
  const { charge_w = 0, discharge_w = 0 } = storages[derId] ?? {};
  return Math.max(charge_w, discharge_w) < idleW ? 0 : charge_w - discharge_w;
}

function rowOf({ storages }: Plan, run: readonly SitePlanStep[], timezone: string): string[] {
  const [first, last] = [run[0]!, run.at(-1)!];
  const clock = (time: string): string => formatLocalTime(timezone, Date.parse(time));
  const mean = (quantityOf: (step: SitePlanStep) => number): number => meanOf(run, quantityOf);
  const prices = run.map(({ import_price }) => import_price);
  const range = [Math.min(...prices), Math.max(...prices)].map(formatMoney);
  const does = storages.map(({ der_id, capacity_wh }) => {
    const power = mean((step) => powerOf(step, der_id));
    const level = `${Math.round((100 * (last.storages[der_id]?.wh ?? 0)) / capacity_wh)} %`;
    return power === 0 ? level : `${power > 0 ? '+' : '-'}${formatPower(power)} ${level}`;
  });
  // The numbers of a reason are those of its step.
  const nameOf = (id: string): string => storages.find(({ der_id }) => der_id === id)?.name ?? id;
  const whys = run.map((step) => whyOf(step, nameOf));
  const isSame = whys.every((why) => why === whys[0]);
  return [
    clock(first.start),
    `to ${clock(last.end).slice(11)}`,
    `${[...new Set(range)].join('-')}${first.is_price_assumed ? '?' : ''}`,
    formatPower(mean(({ solar_w }) => solar_w)),
    formatPower(mean(({ load_w }) => load_w)),
    ...does,
    isSame ? whys[0]! : `${clock(first.start).slice(11)}: ${whys[0]}`,
  ];
}

/** Returns the mean of a value over the time of some steps. */
function meanOf(steps: readonly SitePlanStep[], quantityOf: (step: SitePlanStep) => number): number {
  const ms = (step: SitePlanStep): number => Date.parse(step.end) - Date.parse(step.start);
  const length = steps.reduce((sum, step) => sum + ms(step), 0);
  return steps.reduce((sum, step) => sum + quantityOf(step) * ms(step), 0) / length;
}
