import type { PlanReplayCase, PlanStorage } from '#contract/plan.ts';
import { dateAt, offsetAt } from '#contract/time-zone.ts';
import { allowedPower, isPresent } from '../schedule.ts';
import { FeeView } from './fee-view.ts';
import { StoragePolicy } from './storage-policy.ts';
import type { Case, House, Stage, ValueGrid } from './values.ts';
import { Known, Prices, type Series } from './world.ts';

const horizonHours = 36;
const levelCount = 31;
const peakCount = 20;
const nearHours = 12; // for which more cases are distinguished
const comparedMs = 7 * 24 * 3_600_000; // has the weights of working days and weekends
const overLimitPrice = 100; // per kWh above the import limit

/** The steps of a stage, which is a window of the power charges, or a single step. */
type StageSteps = { first: number; end: number };

type OwnPolicy = {
  storage: PlanStorage;
  policy: StoragePolicy;
  /** what levels are worth at the end of the horizon, learned from the last plan */
  shape?: number[];
  /** expected powers by step, which the other storages plan with */
  powers: Map<number, number>;
};

/** Decides step by step with the knowledge of that time: values by dynamic programming over the possible cases. */
export class RollingPlanner {
  readonly #case: PlanReplayCase;
  readonly #series: Series;
  readonly #prices: Prices;
  readonly #fees: readonly FeeView[];
  /** fees for which only the highest peak of a day counts */
  readonly #dailies: readonly FeeView[];
  /** the one that values are for: they are by its peak of the day so far */
  #daily: FeeView | undefined;
  readonly #last: number;
  readonly #policies: OwnPolicy[];
  #planned: StageSteps = { first: 0, end: 0 }; // the stage that the current values begin with
  readonly #stepsPerStage: number;

  constructor(replayCase: PlanReplayCase, series: Series, from: number, to: number) {
    this.#case = replayCase;
    this.#series = series;
    this.#last = to;
    const { timezone, storages, peak_fees = [], grid } = replayCase;
    const { startMs, stepMs } = series;
    const at = (step: number): number => startMs + step * stepMs;
    this.#prices = new Prices(series, timezone);
    this.#fees = peak_fees.map((fee) => new FeeView(fee, series, timezone, storages, at(from), at(to)));
    this.#dailies = this.#fees.filter(({ fee }) => fee.one_per_day);
    this.#daily = this.#dailies[0];
    const windowMs = Math.max(0, ...peak_fees.map(({ window_s }) => window_s * 1000));
    this.#stepsPerStage = Math.max(1, Math.round(windowMs / stepMs));
    this.#policies = storages.toSorted(carsFirst).map((storage) => {
      const house: House = {
        storage,
        isCurtailable: replayCase.solar_curtailable,
        importLimit_w: grid.import_limit_w ?? Number.POSITIVE_INFINITY,
        exportLimit_w: grid.export_limit_w ?? Number.POSITIVE_INFINITY,
        overPrice: overLimitPrice,
      };
      return { storage, policy: new StoragePolicy(house), powers: new Map<number, number>() };
    });
  }

  /** Returns the power of each storage in a step, from the levels before it; charging is positive. */
  decide(now: number, levels: ReadonlyMap<PlanStorage, number>): Map<PlanStorage, number> {
    const { timezone, replay } = this.#case;
    const { startMs, stepMs } = this.#series;
    const today = dateAt(timezone, startMs + now * stepMs);
    for (const fee of this.#fees) fee.learn(now);
    const isNew = now >= this.#planned.end;
    if (isNew) this.#planned = { first: now, end: this.#stageEnd(now) };
    const spans = isNew ? this.#spans(now) : [{ first: now, end: this.#planned.end }];
    if (isNew && this.#dailies.length > 1) this.#daily = this.#dearestFrom(now);
    const peak = this.#daily?.book.peakOf(today) ?? 0;
    const known = new Known(this.#series, now, replay.reacts ? now + 1 : now, timezone, this.#prices);
    const isNear = (step: number): boolean => (step - now) * stepMs < nearHours * 3_600_000;
    const cases = spans.map(({ first, end }) => known.cases(first, end, isNear(first)));
    const decided = new Map<PlanStorage, number>();
    for (const own of this.#policies) {
      const { storage } = own;
      const level = levels.get(storage)!;
      const others = (step: number): number =>
        this.#policies.reduce((sum, other) => {
          if (other === own) return sum;
          const power = (step === now ? decided.get(other.storage) : undefined) ?? other.powers.get(step) ?? 0;
          return sum + power;
        }, 0);
      const stages = spans.map((span, n) => this.#stage(span, cases[n]!, { known, storage, others, today }));
      const current = stages[0]!;
      if (isNew) this.#plan(own, stages, spans, today);
      if (replay.reacts) current.cases = [this.#actual(now, spans[0]!, current.cases, others(now))];
      decided.set(storage, this.#decideOne(own, current, { now, level, peak, others: others(now) }));
      if (isNew) this.#expect(own, level, peak, spans, today);
    }
    return decided;
  }

  /** Returns the power of one storage, by the values of what follows the current stage. */
  #decideOne(
    { storage, policy }: OwnPolicy,
    stage: Stage,
    { now, level, peak, others }: { now: number; level: number; peak: number; others: number },
  ): number {
    const { stepMs, load_w, solar_w } = this.#series;
    const seconds = stage.hours * 3600;
    const soFar = this.#daily?.book.soFar;
    const windowPeak = (kw: number): number =>
      soFar ? (soFar.energy + kw * stage.weight * seconds) / (soFar.seconds + seconds) : 0;
    const power = policy.decide(0, { stage, level, peak, windowPeak });
    if (!this.#case.replay.reacts || stage.hours * 3_600_000 <= stepMs) return power;
    const [{ load, solar }] = stage.cases as [Case];
    if (Math.abs(load - solar + power) >= 1) return power;
    // Covers what the house needs in this step, not its mean over the window.
    return allowedPower(storage, level, solar_w[now]! - load_w[now]! - others, stepMs / 3_600_000);
  }

  /** Takes note of the import of a step that is over. */
  realise(step: number, importKw: number): void {
    const { startMs, stepMs } = this.#series;
    for (const fee of this.#fees) fee.book.add(startMs + step * stepMs, stepMs / 1000, importKw, fee.weightAt(step));
  }

  /** Returns the first step after the stage that a step is in. */
  #stageEnd(step: number): number {
    if (this.#stepsPerStage === 1) return step + 1;
    const { startMs, stepMs } = this.#series;
    const ms = startMs + step * stepMs;
    const window = this.#stepsPerStage * stepMs;
    const wall = ms + offsetAt(this.#case.timezone, ms);
    return step + Math.max(1, Math.round(((Math.floor(wall / window) + 1) * window - wall) / stepMs));
  }

  /** Returns the stages from now to the horizon. */
  #spans(now: number): StageSteps[] {
    const spans: StageSteps[] = [];
    const end = Math.min(this.#last, now + Math.round((horizonHours * 3_600_000) / this.#series.stepMs));
    for (let first = now; first < end; ) {
      const next = Math.min(end, this.#stageEnd(first));
      spans.push({ first, end: next });
      first = next;
    }
    return spans;
  }

  /**
   * Returns the daily fee that counts when a kW costs most, all fees together. Its peaks are often peaks of the others too, which then
   * charge only imports above them.
   */
  #dearestFrom(now: number): FeeView | undefined {
    const end = Math.min(this.#last, now + Math.round(comparedMs / this.#series.stepMs));
    const steps = Array.from({ length: end - now }, (_, n) => now + n);
    const prices = steps.map((step) => this.#fees.reduce((sum, fee) => sum + fee.pricePerKw * fee.weightAt(step), 0));
    const priceOf = (fee: FeeView): number => {
      const counted = prices.filter((_, n) => fee.weightAt(steps[n]!) > 0);
      return counted.reduce((sum, price) => sum + price, 0) / Math.max(1, counted.length);
    };
    return this.#dailies.reduce((best, fee) => (priceOf(fee) > priceOf(best) + 1e-9 ? fee : best));
  }

  /** Returns what happens in a step that is seen, combined with what is expected of the rest of its window. */
  #actual(now: number, { first, end }: StageSteps, expected: readonly Case[], others: number): Case {
    const { load_w, solar_w } = this.#series;
    const rest = end - Math.max(first, now) - 1;
    const mean = (name: 'load' | 'solar'): number => expected.reduce((sum, each) => sum + each[name] * each.chance, 0);
    const share = 1 / (rest + 1);
    return {
      load: (load_w[now]! + others) * share + (rest > 0 ? mean('load') * (1 - share) : 0),
      solar: solar_w[now]! * share + (rest > 0 ? mean('solar') * (1 - share) : 0),
      chance: 1,
    };
  }

  #stage(
    { first, end }: StageSteps,
    cases: readonly Case[],
    {
      known,
      storage,
      others,
      today,
    }: { known: Known; storage: PlanStorage; others(step: number): number; today: string },
  ): Stage {
    const { timezone } = this.#case;
    const { stepMs, startMs } = this.#series;
    const steps = Array.from({ length: end - first }, (_, n) => first + n);
    const mean = (of: (step: number) => number): number =>
      steps.reduce((sum, step) => sum + of(step), 0) / steps.length;
    const moved = mean(others);
    const day = dateAt(timezone, startMs + first * stepMs);
    const isLastOfDay = dateAt(timezone, startMs + end * stepMs) !== day;
    const daily = this.#daily;
    const added = this.#fees
      .filter((fee) => fee !== daily && fee.weightAt(first) > 0)
      .map((fee) => ({
        weight: fee.weightAt(first),
        share: daily ? fee.shareOf(daily, day) : 0,
        addedBy: fee.addedBy(day, today),
      }));
    const endOfDay = daily && isLastOfDay ? this.#endOfDay(daily, day, today) : undefined;
    return {
      hours: (steps.length * stepMs) / 3_600_000,
      importPrice: mean((step) => known.priceAt(step).importPrice),
      exportPrice: mean((step) => known.priceAt(step).exportPrice),
      cases: moved === 0 ? cases : cases.map((each) => ({ ...each, load: each.load + moved })),
      isPresent: isPresent(storage, first),
      use_wh: steps.reduce((sum, step) => sum + (storage.use_wh?.[step] ?? 0), 0),
      goal_wh: Math.max(
        0,
        ...(storage.goals ?? []).flatMap(({ step, wh }) => (step >= first && step < end ? [wh] : [])),
      ),
      must_w: mean((step) => storage.must_charge_w?.[step] ?? 0),
      weight: daily ? mean((step) => daily.weightAt(step)) : 0,
      ...(added.length > 0 && { feeOf: (kw) => added.reduce((sum, fee) => sum + fee.addedBy(kw * fee.weight), 0) }),
      ...(added.some(({ share }) => share > 0) && {
        paidBy: (kw) => added.reduce((sum, fee) => sum + fee.addedBy(kw * fee.share), 0),
      }),
      ...(endOfDay && { endOfDay }),
    };
  }

  /** Returns what the peak of a day adds, compared with the peak that the days after it are planned with. */
  #endOfDay(fee: FeeView, day: string, today: string): (kw: number) => number {
    const feeBy = fee.feeByPeakOf(day, today);
    const planned = feeBy(fee.expectedOf(day));
    return (kw) => feeBy(kw) - planned;
  }

  /** Computes the values of a storage for the next stages. */
  #plan(own: OwnPolicy, stages: Stage[], spans: StageSteps[], today: string): void {
    const { storage, policy } = own;
    const { timezone } = this.#case;
    const { startMs, stepMs } = this.#series;
    const daily = this.#daily;
    const high = Math.max(storage.max_wh, storage.start_wh);
    const low = Math.min(storage.min_wh, storage.start_wh);
    const { end } = spans.at(-1)!;
    const lastDay = dateAt(timezone, startMs + (end - 1) * stepMs);
    const lowPeak = daily?.bottom(today, lastDay) ?? 0;
    const grid: ValueGrid = {
      levels: levelCount,
      peaks: daily ? peakCount : 1,
      low_wh: low,
      step_wh: Math.max(1, high - low) / (levelCount - 1),
      lowPeak,
      peakStep: daily ? (daily.top - lowPeak) / (peakCount - 1) : 1,
      beyond: daily?.beyond ?? 0,
    };
    const feeBy = daily?.feeByPeakOf(lastDay, today) ?? (() => 0);
    const isLast = end >= this.#last;
    const price = stages.reduce((sum, { importPrice }) => sum + importPrice, 0) / stages.length;
    const worth = isLast ? (storage.end_value_per_kwh ?? 0) : price * storage.discharge_efficiency;
    const { shape } = own;
    const stored = (level: number): number =>
      shape && !isLast ? between(shape, (level - low) / grid.step_wh) : (-(level - low) / 1000) * worth;
    policy.plan(stages, grid, (level, peak) => stored(level) + feeBy(peak));
    // A day later, a level will be worth what it is worth a day before the end.
    const dayBefore = spans.findIndex((span) => span.end > end - 86_400_000 / stepMs);
    const values = policy.valuesAfter(dayBefore);
    const peak = daily?.expectedOf(lastDay) ?? 0;
    if (values && dayBefore > 0)
      own.shape = Array.from(
        { length: levelCount },
        (_, i) => values.at(low + i * grid.step_wh, peak) - values.at(low, peak),
      );
  }

  /** Follows the plan as expected: its powers are seen by other storages, its peaks by the days after. */
  #expect(own: OwnPolicy, level: number, peak: number, spans: StageSteps[], today: string): void {
    const daily = this.#daily;
    if (!daily && this.#policies.length < 2) return;
    const { timezone } = this.#case;
    const { startMs, stepMs } = this.#series;
    const { powers, imports } = own.policy.path(level, peak);
    const byDay = new Map<string, number>([[today, peak]]);
    for (const [n, { first, end }] of spans.entries()) {
      for (let step = first; step < end; step++) own.powers.set(step, powers[n]!);
      const day = dateAt(timezone, startMs + first * stepMs);
      byDay.set(day, Math.max(byDay.get(day) ?? 0, ((daily?.weightAt(first) ?? 0) * imports[n]!) / 1000));
    }
    for (const [day, kw] of byDay) daily?.expect(day, kw);
    own.powers.delete(spans[0]!.first - 1);
  }
}

const carsFirst = (a: PlanStorage, b: PlanStorage): number => Number(b.kind === 'car') - Number(a.kind === 'car');

function between(values: readonly number[], at: number): number {
  const x = Math.min(values.length - 1, Math.max(0, at));
  const i = Math.min(values.length - 2, Math.floor(x));
  return values[i]! + (x - i) * (values[i + 1]! - values[i]!);
}
