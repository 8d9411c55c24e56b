import * as contract from '#contract/gateway/control.ts';
import type { LocalMount } from '../access/door.ts';
import type { Control } from './control.ts';

export function controlRoutes(mount: LocalMount, control: Pick<Control, 'command' | 'confirm' | 'release'>): void {
  mount(contract.confirmControl, ({ params }) => control.confirm(params.sn));
  mount(contract.takeControl, async ({ params }) => {
    await control.command(params.sn, 'take', { power_w: 0 });
    return queued(params.sn, 'init');
  });
  mount(contract.setBattery, async ({ params, body }) => {
    await control.command(params.sn, 'battery', body);
    return { ...queued(params.sn, 'battery'), power_w: body.power_w };
  });
  mount(contract.curtail, async ({ params, body }) => {
    await control.command(params.sn, 'pv', body);
    return { ...queued(params.sn, 'curtail'), power_w: body.power_w };
  });
  mount(contract.liftCurtailment, async ({ params }) => {
    await control.release(params.sn, 'pv');
    return queued(params.sn, 'curtail_disable');
  });
  mount(contract.releaseControl, async ({ params }) => {
    await control.release(params.sn);
    return queued(params.sn, 'deinit');
  });
}

const queued = (sn: string, action: contract.ControlAction) => ({ status: 'queued' as const, sn, action });
