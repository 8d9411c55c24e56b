import { readJson, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Counters } from '#sim/house/state.ts';
import type { House } from '#sim/house.ts';

export type HouseCounters = {
  /** The house of this name, with its energy counters going on where they were last kept: a meter never counts back. */
  continue(name: string, house: House): House;
  close(): Promise<void>;
};

type Kept = Record<string, Counters>;

const keepMs = 10_000; // what a killed process may lose

export async function openHouseCounters(file: string, clock: Clock, log: Logger): Promise<HouseCounters> {
  const stored = await readJson<Kept>(file);
  if (stored?.damaged) log.warn({ file: stored.damaged }, 'the counters of the houses were damaged and set aside');
  const kept = stored?.data ?? {};
  const houses = new Map<string, House>();

  async function keep(): Promise<void> {
    const now = clock.now();
    for (const [name, house] of houses) kept[name] = house.at(now).Wh;
    await writeJson(file, kept);
  }
  const timer = every(keepMs, keep, 'keeping the counters of the houses', log);

  return {
    continue(name, house) {
      const last = kept[name];
      const continued = last ? from(last, house, clock.now()) : house;
      houses.set(name, continued);
      return continued;
    },
    async close() {
      clearInterval(timer);
      await keep();
    },
  };
}

function from(last: Counters, house: House, now: number): House {
  const { Wh: begun } = house.at(now);
  return {
    ...house,
    at(now) {
      const state = house.at(now);
      return { ...state, Wh: combine(state.Wh, (name) => state.Wh[name] - begun[name] + last[name]) };
    },
  };
}

const combine = (counters: Counters, count: (name: keyof Counters) => number): Counters =>
  Object.fromEntries((Object.keys(counters) as (keyof Counters)[]).map((name) => [name, count(name)])) as Counters;
