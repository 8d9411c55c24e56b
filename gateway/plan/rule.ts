import { type GatewayPlan, planMessage } from '#contract/gateway-plan.ts';
import { createPeakWindow } from './peak-window.ts';
import { type PlanStep, type StorageState, type Targets, targetsOf } from './targets.ts';

/** The last measurements of the devices. */
export type Readings = {
  /** `at`: when it was read, ms; absent without a fresh reading */
  grid: { at: number; W: number; phase_A?: readonly number[] | undefined } | undefined;
  /** the storages that the plan may control now, by id: connected, and no person commands them */
  storages: ReadonlyMap<string, Reading>;
  /** + charging */
  cars_W: number;
  /** power of each inverter that the plan may curtail now, by serial; + generation */
  solar: ReadonlyMap<string, number | undefined>;
};

type Reading = Omit<StorageState, 'W'> & { W: number | undefined; minPauseMs?: number | undefined };

/** The setpoints that devices should have, by id of the storage and by serial of the inverter. All others are in automatic mode. */
export type Wishes = {
  state: 'following' | 'waiting' | 'ended';
  message?: string;
  step?: PlanStep;
  storages: Map<string, number>;
  solar: Map<string, number>;
};

type Setpoint = { W: number; since: number; blockedUntil: number };

export const maxReadingAgeMs = 30_000;
const settleMs = 3000; // devices act on a setpoint, and meters show it, within this time
const usualPauseMs = 5000;
const forcedPauseMs = 1000;
const carSwitchMs = 120_000; // between starting and stopping to charge a car
const afterGuardMs = { battery: 20_000, car: 60_000 };
const minDeadBand_W = 60;
const deadBand_fract = 0.02; // of the highest power
const maxRise_fract = 0.6; // of the highest power, in one setpoint
const slowMeterMs = 3000;
/** The share of the fuse that is used. A meter that is read rarely shows an overload late. */
const usable_fract = { fast: 0.97, slow: 0.85 };
const peakMargin = { fract: 0.99, W: 20 };
const curtailRoom_W = 200;
const curtailKeepMs = 300_000;
const curtailRaiseMs = 15_000;

/** Decides, once a second, what each device should do to carry out a plan. Has no I/O; the time is given. */
export function createPlanRule() {
  const window = createPeakWindow();
  const setpoints = new Map<string, Setpoint>();
  const meter = { at: Number.NaN, everyMs: 1000 };
  let powers = new Map<string, number>(); // of the storages, when the grid meter was read
  let targets: Targets | undefined;
  let curtailed: { W: number; since: number; neededAt: number } | undefined;
  let planId = '';
  let lastNow = Number.NEGATIVE_INFINITY;

  function reset(): void {
    setpoints.clear();
    targets = undefined;
    curtailed = undefined;
  }

  const none = (state: Wishes['state'], message?: string): Wishes => {
    reset();
    return { state, ...(message && { message }), storages: new Map(), solar: new Map() };
  };

  /** Takes a new reading of the meter together with the powers of the storages at the same time. */
  function takeReading(at: number, storages: Readings['storages']): boolean {
    if (at === meter.at) return false;
    const gapMs = at - meter.at;
    if (gapMs > 0 && gapMs < maxReadingAgeMs) meter.everyMs += 0.2 * (gapMs - meter.everyMs);
    meter.at = at;
    powers = new Map(Array.from(storages, ([id, { W }]) => [id, W ?? setpoints.get(id)?.W ?? 0]));
    return true;
  }

  function targetsAt(
    now: number,
    plan: GatewayPlan,
    step: PlanStep,
    grid: NonNullable<Readings['grid']>,
    readings: Readings,
  ) {
    const isSlow = meter.everyMs > slowMeterMs;
    const storages = new Map<string, StorageState>();
    for (const [id, { wh, phase_A }] of readings.storages) storages.set(id, { W: powers.get(id) ?? 0, wh, phase_A });
    const { peak_w } = step;
    const allowed_W = peak_w === undefined ? Number.POSITIVE_INFINITY : window.allowed_W(now, peak_w, plan);
    return targetsOf({
      plan,
      step,
      grid: { W: grid.W, phase_A: grid.phase_A },
      storages,
      cars_W: readings.cars_W,
      peakAllowed_W: Math.max(0, allowed_W * peakMargin.fract - peakMargin.W),
      fuse_A: plan.fuse_a === undefined ? undefined : plan.fuse_a * (isSlow ? usable_fract.slow : usable_fract.fast),
    });
  }

  /** Returns the next setpoint of a storage: without oscillation, and with few writes. */
  function steer(now: number, storage: GatewayPlan['storages'][number], minPauseMs: number): void {
    const target = targets?.storages.get(storage.id);
    if (!target) {
      setpoints.delete(storage.id);
      return;
    }
    const { id, kind, charge_w, discharge_w, charge_min_w = 0 } = storage;
    const highest_W = Math.max(charge_w, discharge_w);
    const last = setpoints.get(id);
    const rise_W = Math.max(1000, maxRise_fract * highest_W, charge_min_w);
    const from_W = last?.W ?? powers.get(id) ?? 0;
    const W = Math.min(target.W, Math.max(from_W, 0) + rise_W);
    if (!last) {
      setpoints.set(id, { W, since: now, blockedUntil: 0 });
      return;
    }
    const deadBand_W = Math.max(minDeadBand_W, deadBand_fract * highest_W);
    const isSame = W === last.W || (W !== 0 && Math.abs(W - last.W) < deadBand_W);
    if (isSame) return;
    const age = now - last.since;
    if (target.isForced) {
      if (age >= forcedPauseMs) setpoints.set(id, { W, since: now, blockedUntil: now + afterGuardMs[kind] });
      return;
    }
    if (W > last.W && now < last.blockedUntil) return;
    const isSwitched = kind === 'car' && (W === 0) !== (last.W === 0);
    const pauseMs = Math.max(isSwitched ? carSwitchMs : usualPauseMs, minPauseMs);
    if (age >= pauseMs && meter.at >= last.since + settleMs) setpoints.set(id, { ...last, W, since: now });
  }

  /** Returns the most that the sun may generate in total; undefined without a limit. */
  function curtail(
    now: number,
    plan: GatewayPlan,
    step: PlanStep,
    solar_W: number,
    export_W: number,
  ): number | undefined {
    const over_W = targets?.excessExport_W ?? Number.NEGATIVE_INFINITY;
    const limit_W = Math.max(0, Math.min(step.solar_max_w ?? Number.POSITIVE_INFINITY, solar_W - over_W));
    const isNeeded = limit_W < solar_W + curtailRoom_W;
    if (isNeeded) curtailed ??= { W: Number.POSITIVE_INFINITY, since: Number.NEGATIVE_INFINITY, neededAt: now };
    if (!curtailed) return undefined;
    if (isNeeded) curtailed.neededAt = now;
    else if (now - curtailed.neededAt > curtailKeepMs) {
      curtailed = undefined;
      return undefined;
    }
    const isLower = limit_W < curtailed.W;
    const isUrgent = isLower && export_W > (plan.export_limit_w ?? Number.POSITIVE_INFINITY);
    const pauseMs = isUrgent ? forcedPauseMs : isLower ? usualPauseMs : curtailRaiseMs;
    const isNews = Math.abs(limit_W - curtailed.W) > Math.max(minDeadBand_W, deadBand_fract * solar_W);
    if (isNews && now - curtailed.since >= pauseMs && Number.isFinite(limit_W)) {
      curtailed = { ...curtailed, W: Math.round(limit_W), since: now };
    }
    return Number.isFinite(curtailed.W) ? curtailed.W : undefined;
  }

  return {
    decide(plan: GatewayPlan, now: number, readings: Readings): Wishes {
      if (now < lastNow) reset(); // the clock was set back: pauses would last as long
      lastNow = now;
      if (plan.id !== planId) targets = undefined;
      planId = plan.id;
      if (now >= plan.ends_at) return none('ended');
      const { grid } = readings;
      if (!grid || now - grid.at > maxReadingAgeMs) return none('waiting', planMessage('no_meter'));
      const step = plan.steps.find(({ start, s }) => now >= start && now < start + s * 1000);
      window.add(now, grid.W, plan, step?.peak_w ?? Math.max(0, grid.W));
      if (!step) return none('waiting', planMessage('no_step'));
      // Between two readings of the meter the powers of storages change, so the load is unknown.
      if (takeReading(grid.at, readings.storages) || !targets) targets = targetsAt(now, plan, step, grid, readings);
      for (const storage of plan.storages) {
        if (readings.storages.has(storage.id)) steer(now, storage, readings.storages.get(storage.id)?.minPauseMs ?? 0);
        else setpoints.delete(storage.id);
      }
      const generated_W = [...readings.solar.values()].reduce<number>((sum, W = 0) => sum + W, 0);
      const limit_W = readings.solar.size === 0 ? undefined : curtail(now, plan, step, generated_W, -grid.W);
      return {
        state: 'following',
        step,
        storages: new Map(Array.from(setpoints, ([id, { W }]) => [id, W])),
        solar: limit_W === undefined ? new Map() : shareOut(limit_W, readings.solar, generated_W),
      };
    },
    /** Forgets the setpoints, because the devices are in automatic mode. */
    reset,
  };
}

/** Divides the limit among inverters in proportion to what they generate now. */
function shareOut(limit_W: number, solar: Readings['solar'], generated_W: number): Map<string, number> {
  return new Map(
    Array.from(solar, ([sn, W = 0]) => [
      sn,
      Math.round(generated_W > 0 ? (limit_W * W) / generated_W : limit_W / solar.size),
    ]),
  );
}
