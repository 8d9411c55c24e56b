import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { WhatIf } from '#contract/cloud/plans.ts';
import type { Bill } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { whatIfSentence } from '#contract/what-if-sentences.ts';
import { actualFlow, type GridFlow, quartersFrom, sumOf } from '../bill/quarters.ts';
import { billOfFlows, type Household } from '../bill/site-bill.ts';
import type { SiteQuarters } from '../energy/report.ts';
import { wearShare } from '../plans/site-problem.ts';
import type { BatteryRun, Policy, ReplayedHome } from './battery.ts';
import type { Question } from './battery-thread.ts';
import { batteryOf, type Changes, netWithoutBattery, type PlannedBattery, withTariff } from './changed-home.ts';
import { marginalPrices } from './marginal-prices.ts';
import { monthsOf, publishedIn, rangeOf, type Stretch } from './stretches.ts';

/** Replays the energy of a home with another battery, roof or tariff. */
export async function whatIf(home: Household, changes: Changes, present: PlannedBattery): Promise<WhatIf> {
  const asked = rangeOf(changes, home);
  const known = measured(await home.quarters(asked.from, asked.to));
  const changed = withTariff(home, changes.tariff_id);
  const actual = await outcomeOf(home, actualFlow(known));
  const { net, notes: ofSolar } = netWithoutBattery(known, changes.solar_w);
  const { battery, notes: ofBattery } = batteryOf(known, changes, present);
  const bothWays = known.series.import.map((wh, i) => Math.min(wh, known.series.export[i]!));
  const flowOf: FlowOf = (grid, first = 0) => ({
    from: known.from + first * quarterMs,
    imported: grid.map((wh, i) => Math.max(0, wh) + bothWays[first + i]!),
    exported: grid.map((wh, i) => Math.max(0, -wh) + bothWays[first + i]!),
  });

  const months = monthsOf(known, home.timeZone);
  const published = publishedIn(known, home.timeZone);
  const prices = battery.capacityWh > 0 ? await marginalPrices(changed, months) : undefined;
  const replay = prices && openReplay({ net, ...prices, published, battery });
  try {
    const whole = { from: 0, to: net.length, startWh: 0 };
    const [own] = replay ? await replay.run(whole, ['self_consumption']) : [{ grid: net, endWh: 0 }];
    const selfConsumption = await outcomeOf(changed, flowOf(own!.grid));
    const planned =
      replay && (await planMonths(changed, { months, flowOf, replay, prices, own: selfConsumption, grid: own!.grid }));
    const isBetter = planned && planned.total < selfConsumption.total;
    return {
      site_id: home.site.id,
      from: formatTime(known.from),
      to: formatTime(known.to),
      currency: actual.bill.currency,
      actual: wireOf(actual),
      self_consumption: wireOf(selfConsumption),
      planned: wireOf(isBetter ? planned : selfConsumption),
      saved: cents(actual.total - (isBetter ? planned : selfConsumption).total),
      assumed: [
        ...coverageNotes(asked, known, home.timeZone),
        ...ofBattery,
        ...ofSolar,
        ...(replay ? planNotes(planned?.hasPeaks ?? false) : []),
        ...new Set(selfConsumption.bill.metadata.notes),
      ],
    };
  } finally {
    await replay?.close();
  }
}

const cents = (amount: number): number => Math.round(amount * 100) / 100 + 0;

type Outcome = { total: number; flow: GridFlow; bill: Bill };

async function outcomeOf(home: Household, flow: GridFlow): Promise<Outcome> {
  const bill = await billOfFlows(home, [flow]);
  return { total: bill.total, flow, bill };
}

const wireOf = ({ total, flow }: Outcome): WhatIf['actual'] => ({
  total,
  import_wh: Math.round(sumOf(flow.imported)),
  export_wh: Math.round(sumOf(flow.exported)),
});

/** Leaves out the time before the first measured quarter. */
function measured(quarters: SiteQuarters): SiteQuarters {
  const first = quarters.coveredS.findIndex((seconds, i) => seconds > 0 || quarters.estimated[i]! > 0);
  if (first < 0)
    throw new Problem('conflict', 'No energy of this time is known. Add a meter at the grid connection first.');
  return quartersFrom(quarters, quarters.from + first * quarterMs);
}

const planNotes = (hasPeaks: boolean): string[] => [
  whatIfSentence('plan_knows'),
  whatIfSentence('plan_wear', { percent: wearShare * 100 }),
  ...(hasPeaks ? [whatIfSentence('peaks_known')] : []),
];

function coverageNotes(asked: Stretch, known: SiteQuarters, timeZone: string): string[] {
  const notes: string[] = [];
  const days = Math.round((known.to - known.from) / dayMs);
  if (known.from - asked.from >= dayMs)
    notes.push(whatIfSentence('known_from', { date: dateAt(timeZone, known.from), days }));
  const missing = known.coveredS.reduce(
    (count, seconds, i) => count + (seconds === 0 && known.estimated[i] === 0 ? 1 : 0),
    0,
  );
  const percent = (100 * missing) / known.coveredS.length;
  if (percent >= 0.1) notes.push(whatIfSentence('not_measured', { percent: percent.toFixed(1) }));
  return notes;
}

/** Returns the flow of quarters from `first` on. */
type FlowOf = (grid: Float64Array, first?: number) => GridFlow;

type Replay = ReturnType<typeof openReplay>;

/** Starts the thread that replays the battery. */
function openReplay(home: ReplayedHome) {
  const worker = new Worker(new URL('./battery-thread.ts', import.meta.url), { workerData: home, execArgv: [] });
  return {
    async run(stretch: Question['stretch'], policies: Policy[]): Promise<BatteryRun[]> {
      const answer = once(worker, 'message'); // rejects when the thread fails
      worker.postMessage({ stretch, policies } satisfies Question);
      const [runs] = await answer;
      return runs;
    },
    close: () => worker.terminate(),
  };
}

type Months = {
  months: readonly Stretch[];
  flowOf: FlowOf;
  replay: Replay;
  prices: { buy: Float64Array };
  own: Outcome;
  grid: Float64Array;
};

const shares = [1, 0.85, 0.7, 0.55, 0.4]; // of the highest import of a month without plans

/** Plans month by month. With power charges, the import of each month has the limit with which its bill is lowest. */
async function planMonths(home: Household, { months, flowOf, replay, prices, own, grid }: Months) {
  const hasPeaks = own.bill.lines.some(({ kind }) => kind === 'power');
  const begin = months[0]!.from;
  const planned = new Float64Array(grid.length);
  let startWh = 0;
  for (const month of months) {
    const [from, to] = [(month.from - begin) / quarterMs, (month.to - begin) / quarterMs];
    const peakWh = grid.subarray(from, to).reduce((most, wh) => Math.max(most, wh), 0);
    const limits = hasPeaks && peakWh > 0 ? shares.map((share) => share * peakWh) : [Number.POSITIVE_INFINITY];
    const runs = await replay.run({ from, to, startWh }, limits);
    const worth = sumOf(prices.buy.subarray(from, to)) / (to - from);
    let best = { run: runs[0]!, cost: Number.POSITIVE_INFINITY };
    for (const run of runs.length > 1 ? runs : []) {
      const { total } = await billOfFlows(home, [flowOf(run.grid, from)]);
      const cost = total - run.endWh * worth;
      if (cost < best.cost) best = { run, cost };
    }
    planned.set(best.run.grid, from);
    startWh = best.run.endWh;
  }
  return { ...(await outcomeOf(home, flowOf(planned))), hasPeaks };
}
