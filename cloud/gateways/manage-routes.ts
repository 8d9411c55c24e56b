import * as contract from '#contract/cloud/manage.ts';
import { Answer } from '#lib/http/mount.ts';
import { type CloudMount, type Context, heldIn } from '../access/door.ts';
import type { Management } from './management.ts';

export function manageRoutes(mount: CloudMount, { ask }: Management): void {
  const about = (context: Context & { params: { serial: string } }) => ({
    serial: context.params.serial,
    orgId: heldIn(context, 'gateway').orgId,
    caller: context.caller,
  });

  mount(contract.getGatewayStatus, (context) => ask(about(context), 'status', {}));
  mount(contract.scanFromGateway, async (context) => new Answer(202, await ask(about(context), 'scan', {})));
  mount(contract.getGatewayScan, (context) => ask(about(context), 'scan_status', {}));
  mount(contract.listManagedDevices, (context) => ask(about(context), 'list_devices', {}));
  mount(contract.addManagedDevice, (context) => ask(about(context), 'add_device', context.body));
  mount(contract.changeManagedDevice, (context) =>
    ask(about(context), 'change_device', { sn: context.params.sn, ders: context.body.ders }),
  );
}
