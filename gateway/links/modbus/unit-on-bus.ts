import type { Bus } from './bus.ts';
import { type DeviceTexts, identifyRequest } from './identification.ts';
import { readRequest, writeManyRequest, writeRequest } from './pdu.ts';
import type { ModbusUnit } from './unit.ts';

const vendor = 0;
const product = 1;
const revision = 2;

export function unitOn(bus: Bus, unitId: number): ModbusUnit {
  return {
    read: (table, address, count) => bus.request(unitId, readRequest(table, address, count), false),
    readUrgently: (table, address, count) => bus.request(unitId, readRequest(table, address, count), true),
    async write(address, value) {
      await bus.request(unitId, writeRequest(address, value), true);
    },
    async writeMany(address, values) {
      await bus.request(unitId, writeManyRequest(address, values), true);
    },
    async identify() {
      const texts = new Map<number, string>();
      let first: number | undefined = vendor;
      // The three texts come in three answers at most; a device that always has more is not asked for ever.
      for (let answers = 0; first !== undefined && answers < 3; answers++) {
        const answer: DeviceTexts = await bus.request(unitId, identifyRequest(first), true);
        for (const [id, text] of answer.texts) texts.set(id, text);
        first = answer.next;
      }
      const named = { vendor: texts.get(vendor), product: texts.get(product), revision: texts.get(revision) };
      return Object.fromEntries(Object.entries(named).filter(([, text]) => text));
    },
  };
}
