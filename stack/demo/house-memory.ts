import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { type HouseStart, startFrom } from '#sim/house/state.ts';
import { type AdjustableHouse, createHouse, type HouseModel } from '#sim/house.ts';

export type HouseMemory = Awaited<ReturnType<typeof openHouseMemory>>;

const saveMs = 10_000; // the most that a killed process loses

export async function openHouseMemory(file: string, clock: Clock, log: Logger) {
  const damaged = 'the saved state of the simulated houses was damaged and set aside';
  const saved = (await readJsonOrWarn<Record<string, HouseStart>>(file, damaged, log)) ?? {};
  const houses = new Map<string, AdjustableHouse>();

  async function save(): Promise<void> {
    const now = clock.now();
    for (const [name, house] of houses) saved[name] = startFrom(house.at(now));
    await writeJson(file, saved);
  }
  const timer = every(saveMs, save, 'saving the state of the simulated houses', log);

  return {
    /** Creates a house that continues with its saved charge and counters, so that a meter never counts backwards. */
    build(name: string, model: HouseModel, first?: HouseStart): AdjustableHouse {
      const house = createHouse({ ...model, clock, start: saved[name] ?? first });
      houses.set(name, house);
      return house;
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await save();
    },
  };
}
