import { dayMs, minuteMs } from '#contract/time.ts';
import { type Counters, startFrom } from '#sim/house/state.ts';
import { createHouse, defaultSizes } from '#sim/house.ts';
import { homeModel } from './house.ts';

const quarterMs = 15 * minuteMs;
const quartersPerDay = dayMs / quarterMs;
const stepMs = 5 * minuteMs;
const months = 13;
const batteryMonth = 2; // the home got its battery in March
const noBattery = { batteryCapacity_Wh: 1, battery_W: 0 };

/** The energy of a UTC day in Wh, by quarter-hour. */
export type PastDay = { start: number; quarters: Record<(typeof series)[number][0], Int32Array> };

const series = [
  ['import', 'imported'],
  ['export', 'exported'],
  ['solar', 'generated'],
  ['battery_charge', 'charged'],
  ['battery_discharge', 'discharged'],
  ['car_charge', 'vehicleCharged'],
  ['car_discharge', 'vehicleDischarged'],
] as const satisfies readonly (readonly [string, keyof Counters])[];

/** Yields the days of 13 months before a UTC midnight, oldest first; the same for the same midnight. */
export function* pastYear(until: number): Generator<PastDay> {
  const last = new Date(until);
  const first = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - months, 1);
  const thisMarch = Date.UTC(last.getUTCFullYear(), batteryMonth, 1);
  const batteryFrom = thisMarch < until ? thisMarch : Date.UTC(last.getUTCFullYear() - 1, batteryMonth, 1);
  const homeFrom = (at: number, options: Partial<Parameters<typeof createHouse>[0]>) =>
    createHouse({ ...homeModel, clock: { now: () => at }, stepMs, ...options });
  let house = homeFrom(first, { sizes: { ...defaultSizes, ...noBattery } });
  let before = house.at(first).Wh;
  for (let start = first; start < until; start += dayMs) {
    if (start === batteryFrom)
      house = homeFrom(start, { start: { ...startFrom(house.at(start)), battery_soc_fract: 0.3 } });
    const quarters = emptyQuarters();
    for (let quarter = 0; quarter < quartersPerDay; quarter++) {
      const { Wh } = house.at(start + (quarter + 1) * quarterMs);
      for (const [name, counter] of series) {
        quarters[name][quarter] = Math.round(Wh[counter]) - Math.round(before[counter]);
      }
      before = Wh;
    }
    yield { start, quarters };
  }
}

const emptyQuarters = (): PastDay['quarters'] => {
  const column = () => new Int32Array(quartersPerDay);
  return {
    import: column(),
    export: column(),
    solar: column(),
    battery_charge: column(),
    battery_discharge: column(),
    car_charge: column(),
    car_discharge: column(),
  };
};
