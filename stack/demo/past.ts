import type { DerKind } from '#contract/gateway/reading.ts';
import { minuteMs } from '#contract/time.ts';
import { type Counters, type HouseStart, type HouseState, startFrom } from '#sim/house/state.ts';
import { createHouse } from '#sim/house.ts';
import { readingOf } from '#sim/street-gateways/readings.ts';
import { demoDevices, homeModel } from './house.ts';

// What the home would have told if it had always stood there.

const hours = 48;
const pastMs = hours * 60 * minuteMs;

const homeBefore = (until: number) => createHouse({ ...homeModel, clock: { now: () => until - pastMs } });

/** What the home goes on from, so that its counters follow those of its past. */
export const endOfPast = (until: number): HouseStart => startFrom(homeBefore(until).at(until));

export type PastReading = { sn: string; kind: DerKind; timestamp: number; json: string };

/** A reading of each DER a minute, oldest first, and always the same for the same end. */
export function* pastReadings(until: number): Generator<PastReading> {
  const home = homeBefore(until);
  const devices = demoDevices.map(({ part, ...device }) => ({ ...device, house: part(home) }));
  const first = Math.ceil((until - pastMs) / minuteMs) * minuteMs;
  for (let timestamp = first; timestamp <= until - minuteMs; timestamp += minuteMs) {
    for (const { sn, ders, house, countWh } of devices) {
      const state = counted(house.at(timestamp), countWh);
      for (const kind of Object.keys(ders) as DerKind[]) yield { sn, kind, timestamp, json: readingOf(kind, state) };
    }
  }
}

/** As far as the registers of the device have counted, or they would seem to count back afterwards. */
function counted(state: HouseState, countWh: number): HouseState {
  const counters = Object.entries(state.Wh).map(([name, Wh]) => [name, Math.floor(Wh / countWh) * countWh]);
  return { ...state, Wh: Object.fromEntries(counters) as Counters };
}
