import { readModbus } from '#contract/gateway/registers.ts';
import { Problem } from '#contract/problem.ts';
import type { LocalMount } from '../access/local-context.ts';
import type { Probes } from '../access/probes.ts';
import type { Targets } from '../access/targets.ts';
import { LinkError } from '../links/link-error.ts';
import { LineInUse, type ModbusBuses, type UnitHold } from '../links/modbus/buses.ts';
import { ModbusException } from '../links/modbus/unit.ts';

export type ReadAnywhereDeps = { buses: ModbusBuses; targets: Targets; probes: Probes };

/** Registers of a device that is not one of ours: connects, reads, disconnects. */
export function readAnywhereRoute(mount: LocalMount, { buses, targets, probes }: ReadAnywhereDeps): void {
  mount(readModbus, ({ body }) => {
    const { ip, port, unit_id, register, count = 1, register_type = 'holding' } = body;
    if (register + count > 0x1_0000) throw new Problem('invalid_request', 'The registers end at 65535.');
    return probes.run(async () => {
      let hold: UnitHold | undefined;
      try {
        hold = buses.acquire({ host: await targets.resolve(ip), port }, unit_id);
        const values = await hold.unit.readUrgently(register_type, register, count);
        return { ip, port, unit_id, register, register_type, values: [...values] };
      } catch (error) {
        if (!isUpstream(error)) throw error;
        throw new Problem('upstream_failed', error.message, {}, { cause: error });
      } finally {
        await hold?.release();
      }
    });
  });
}

const isUpstream = (error: unknown): error is Error =>
  error instanceof LinkError ||
  error instanceof ModbusException ||
  error instanceof LineInUse ||
  (error instanceof Problem && error.code === 'device_unreachable'); // a name that cannot be looked up
