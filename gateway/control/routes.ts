import * as contract from '#contract/gateway/control.ts';
import { getLocalPlan, type LocalPlan, setLocalPlan } from '#contract/gateway/plan.ts';
import type { LocalMount } from '../access/door.ts';
import type { Control } from './control.ts';

export function controlRoutes(mount: LocalMount, control: Pick<Control, 'command' | 'confirm' | 'release'>): void {
  const queued = async (work: Promise<void>, sn: string, action: contract.ControlAction) => {
    await work;
    return { status: 'queued' as const, sn, action };
  };

  mount(contract.confirmControl, ({ params }) => control.confirm(params.sn));
  mount(contract.takeControl, ({ params: { sn } }) => queued(control.command(sn, 'take', { power_w: 0 }), sn, 'init'));
  mount(contract.setBattery, async ({ params: { sn }, body }) => ({
    ...(await queued(control.command(sn, 'battery', body), sn, 'battery')),
    power_w: body.power_w,
  }));
  mount(contract.curtail, async ({ params: { sn }, body }) => ({
    ...(await queued(control.command(sn, 'pv', body), sn, 'curtail')),
    power_w: body.power_w,
  }));
  mount(contract.liftCurtailment, ({ params: { sn } }) => queued(control.release(sn, 'pv'), sn, 'curtail_disable'));
  mount(contract.releaseControl, ({ params: { sn } }) => queued(control.release(sn), sn, 'deinit'));
}

export type PlanControl = {
  shown(): LocalPlan;
  enable(wanted: boolean): Promise<void>;
};

export function planRoutes(mount: LocalMount, { shown, enable }: PlanControl): void {
  mount(getLocalPlan, shown);
  mount(setLocalPlan, async ({ body }) => {
    await enable(body.enabled);
    return shown();
  });
}
