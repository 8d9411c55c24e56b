import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { type HouseStart, startFrom } from '#sim/house/state.ts';
import { createHouse, type HouseModel, type LivingHouse } from '#sim/house.ts';

export type HouseMemory = {
  /** The house of this name, going on with the charge and the counters it had: a meter never counts back. */
  build(name: string, model: HouseModel, first?: HouseStart): LivingHouse;
  close(): Promise<void>;
};

type Kept = Record<string, HouseStart>;

const keepMs = 10_000; // what a killed process may lose

export async function openHouseMemory(file: string, clock: Clock, log: Logger): Promise<HouseMemory> {
  const kept = (await readJsonOrWarn<Kept>(file, 'what the houses remember was damaged and set aside', log)) ?? {};
  const houses = new Map<string, LivingHouse>();

  async function keep(): Promise<void> {
    const now = clock.now();
    for (const [name, house] of houses) kept[name] = startFrom(house.at(now));
    await writeJson(file, kept);
  }
  const timer = every(keepMs, keep, 'keeping what the houses remember', log);

  return {
    build(name, model, first) {
      const house = createHouse({ ...model, clock, start: kept[name] ?? first });
      houses.set(name, house);
      return house;
    },
    async close() {
      clearInterval(timer);
      await keep();
    },
  };
}
