import { readModbus } from '#contract/gateway/registers.ts';
import { Problem } from '#contract/problem.ts';
import type { LocalMount } from '../access/local-context.ts';
import type { Probes } from '../access/probes.ts';
import type { Targets } from '../access/targets.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import { LinkError, ModbusException } from '../links/modbus/unit.ts';

export type ReadAnywhereDeps = { buses: ModbusBuses; targets: Targets; probes: Probes };

/** Registers of a device that is not one of ours: connects, reads, disconnects. */
export function readAnywhereRoute(mount: LocalMount, { buses, targets, probes }: ReadAnywhereDeps): void {
  mount(readModbus, ({ body }) => {
    const { ip, port, unit_id, register, count = 1, register_type = 'holding' } = body;
    if (register + count > 0x1_0000) throw new Problem('invalid_request', 'The registers end at 65535.');
    return probes.run(async () => {
      const { unit, release } = buses.acquire({ host: await targets.resolve(ip), port }, unit_id);
      try {
        const values = await unit.readUrgently(register_type, register, count);
        return { ip, port, unit_id, register, register_type, values: [...values] };
      } catch (error) {
        if (!(error instanceof LinkError || error instanceof ModbusException)) throw error;
        throw new Problem('upstream_failed', error.message, {}, { cause: error });
      } finally {
        await release();
      }
    });
  });
}
