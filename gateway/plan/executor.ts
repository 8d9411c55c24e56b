import type { LocalPlan } from '#contract/gateway/plan.ts';
import { type GatewayPlan, type PlanProgress, planMessage } from '#contract/gateway-plan.ts';
import type { Clock } from '#lib/clock.ts';
import { asError } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { PlanSetpoints } from '../control/plan-setpoints.ts';
import type { HeldPlan } from './held-plan.ts';
import { houseReadings, type PlannedDevice } from './house-readings.ts';
import { createPlanRule, type Wishes } from './rule.ts';

export type ExecutorDeps = {
  held: Pick<HeldPlan, 'current' | 'refusal' | 'isEnabled'>;
  devices(): readonly PlannedDevice[];
  setpoints: Pick<PlanSetpoints, 'isFree' | 'hold' | 'keepOnly' | 'failure'>;
  /** whether the time of day is confirmed */
  isTimeKnown(): boolean;
  /** called when the progress has changed */
  onChange(): void;
  clock: Clock;
  log: Logger;
};

const tickMs = 1000;

/** Carries out the plan that the gateway holds: decides every second, and returns devices to automatic when it ends. */
export function createExecutor({ held, devices, setpoints, isTimeKnown, onChange, clock, log }: ExecutorDeps) {
  const rule = createPlanRule();
  let timer: NodeJS.Timeout | undefined;
  let doing: { plan: GatewayPlan; wishes: Wishes; overridden: string[]; silent: string[] } | undefined;
  let reported = '';
  let isFailing = false;

  function decide(plan: GatewayPlan): Wishes {
    if (!isTimeKnown()) {
      rule.reset();
      return { state: 'waiting', message: planMessage('clock_unknown'), storages: new Map(), solar: new Map() };
    }
    return rule.decide(plan, clock.now(), houseReadings(plan, devices(), setpoints.isFree));
  }

  function tick(): void {
    const plan = held.current();
    const wishes = plan && decide(plan);
    doing = plan && wishes && { plan, wishes, overridden: overriddenIn(plan), silent: silentIn(plan, wishes) };
    const wanted = plan && wishes ? wantedBy(plan, wishes) : [];
    for (const { sn, part, W } of wanted) setpoints.hold(sn, part, W);
    setpoints.keepOnly(wanted, wishes?.message ?? 'The plan does not control the device now.');
    report();
  }

  const overriddenIn = ({ storages, solar = [] }: GatewayPlan): string[] => [
    ...storages.filter(({ sn }) => !setpoints.isFree(sn, 'battery')).map(({ sn }) => sn),
    ...solar.filter((sn) => !setpoints.isFree(sn, 'pv')),
  ];

  /** Returns the storages that the plan may control but that have sent nothing new. */
  const silentIn = ({ storages }: GatewayPlan, wishes: Wishes): string[] =>
    storages.filter(({ id, sn }) => !wishes.storages.has(id) && setpoints.isFree(sn, 'battery')).map(({ sn }) => sn);

  function report(): void {
    const now = progress();
    const text = JSON.stringify(now);
    if (text === reported) return;
    reported = text;
    log.info({ ...now }, 'progress of the plan changed');
    onChange();
  }

  function progress(): PlanProgress | undefined {
    const refusal = held.refusal();
    if (refusal) return refusal;
    if (!doing) return undefined;
    const { plan, wishes, overridden, silent } = doing;
    const isWaiting = wishes.state === 'following' && silent.length > 0 && silent.length === plan.storages.length;
    const state = isWaiting ? 'waiting' : wishes.state;
    if (state === 'following' && overridden.length > 0) {
      return {
        id: plan.id,
        state: 'overridden',
        message: planMessage('held_by_person', overridden).slice(0, 300),
      };
    }
    const problem = silent.length > 0 ? planMessage('no_readings', silent) : setpoints.failure();
    const message = wishes.message ?? (wishes.state === 'following' ? problem : undefined);
    return { id: plan.id, state, ...(message && { message: message.slice(0, 300) }) };
  }

  return {
    start(): void {
      timer = setInterval(() => {
        try {
          tick();
          isFailing = false;
        } catch (error) {
          // Leases end by themselves when nothing extends them.
          if (!isFailing) log.error({ err: asError(error) }, 'failed to follow the plan');
          isFailing = true;
        }
      }, tickMs).unref();
    },
    progress,
    shown(): LocalPlan {
      const now = progress();
      return {
        enabled: held.isEnabled(),
        ...(now && { progress: now }),
        ...(doing && { ends_at: doing.plan.ends_at, ...shownNow(doing.plan, doing.wishes) }),
      };
    },
    close(): void {
      clearInterval(timer);
    },
  };
}

type Wanted = { sn: string; part: 'battery' | 'pv'; W: number };

const wantedBy = ({ storages }: GatewayPlan, wishes: Wishes): Wanted[] => [
  ...storages.flatMap(({ id, sn }): Wanted[] => {
    const W = wishes.storages.get(id);
    return W === undefined ? [] : [{ sn, part: 'battery', W }];
  }),
  ...Array.from(wishes.solar, ([sn, W]): Wanted => ({ sn, part: 'pv', W })),
];

function shownNow({ storages, solar = [] }: GatewayPlan, { step, ...wishes }: Wishes): Pick<LocalPlan, 'now'> {
  if (!step) return {};
  const shown = storages.map(({ id, sn, kind }) => {
    const W = wishes.storages.get(id);
    const mode = step.intents[id]?.mode;
    return { sn, kind, ...(mode && { mode }), ...(W !== undefined && { power_w: W }) };
  });
  const curtailed = solar.flatMap((sn) => {
    const W = wishes.solar.get(sn);
    return W === undefined ? [] : [{ sn, kind: 'solar' as const, power_w: W }];
  });
  const { start, s, reason } = step;
  return { now: { until: start + s * 1000, ...(reason && { reason }), devices: [...shown, ...curtailed] } };
}
