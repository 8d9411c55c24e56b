import { controlOf, takesCommands } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { type ControlKind, commandTopic } from '#contract/topics.ts';
import { getDer, getDevice } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';
import type { DerRow, DeviceRow } from '../store/schema.ts';

export type Addressee = { der: DerRow; device: DeviceRow; control: ControlKind; topic: string };

/** Where a DER is spoken to; throws when it cannot be. */
export async function findAddressee(db: Db, derId: string): Promise<Addressee> {
  const der = await getDer(db, derId);
  const device = await getDevice(db, der.device_id);
  if (!takesCommands(der.type)) throw new Problem('unprocessable', `A DER of type ${der.type} takes no commands.`);
  if (device.state === 'orphaned') {
    throw new Problem(
      'conflict',
      'This device is orphaned: its gateway was released, or went to another organization. ' +
        'Claim the gateway, and provision the device again.',
    );
  }
  const control = controlOf[der.type];
  return { der, device, control, topic: commandTopic(device.gateway_serial, control, device.hardware_id) };
}
