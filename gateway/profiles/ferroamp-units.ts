import type { Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { MqttMessage } from '../links/mqtt/message.ts';
import { createSourceClock, isFresh, type Measured } from './mqtt-memory.ts';
import { plausible } from './mqtt-values.ts';

const mostUnits = 32;
const goneAfterMs = 600_000; // a unit that was taken away

type Unit = { clock: ReturnType<typeof createSourceClock>; values: Values; at: number | undefined };

type Put = { isNew: boolean; isFirst: boolean };

export type FerroampUnits = ReturnType<typeof createFerroampUnits>;

/**
 * The units of one sort behind an EnergyHub, each of which reports for itself. What they add up to is known while all of
 * them are fresh: a sum without one of them would be a wrong one, and a counter would fall.
 */
export function createFerroampUnits(staleAfterMs: number) {
  const units = new Map<string, Unit>();
  let lastAt: number | undefined;

  /** After the clock was set, or a long silence, nobody is known to be gone: all of them are waited for. */
  function notice(at: number): void {
    const hasJumped = lastAt !== undefined && !isFresh(lastAt, at, goneAfterMs);
    lastAt = at;
    if (!hasJumped) return;
    for (const unit of units.values()) if (unit.at !== undefined) unit.at = at - staleAfterMs - 1;
  }

  function makeRoom(now: number): boolean {
    for (const [id, { at }] of units) {
      if (units.size < mostUnits) break;
      if (at === undefined || !isFresh(at, now, goneAfterMs)) units.delete(id);
    }
    return units.size < mostUnits;
  }

  function unitOf(id: string, now: number): Unit | undefined {
    const known = units.get(id);
    if (known || !makeRoom(now)) return known;
    const unit: Unit = { clock: createSourceClock(), values: {}, at: undefined };
    units.set(id, unit);
    return unit;
  }

  /** What every unit measures; undefined when one of them is late or does not tell. */
  function together(field: FieldName, now: number): { numbers: number[]; at: number } | undefined {
    const numbers: number[] = [];
    let newest = Number.NEGATIVE_INFINITY;
    for (const { values, at } of units.values()) {
      if (at === undefined || !isFresh(at, now, goneAfterMs)) continue;
      const number = values[field];
      if (number === undefined || !isFresh(at, now, staleAfterMs)) return undefined;
      numbers.push(number);
      newest = Math.max(newest, at);
    }
    return numbers.length > 0 ? { numbers, at: newest } : undefined;
  }

  return {
    /** Whether it is a new measurement, and the first of its unit; undefined when there are too many units to be true. */
    put(id: string, values: Values, message: MqttMessage, own: number | undefined): Put | undefined {
      notice(message.at);
      const unit = unitOf(id, message.at);
      if (!unit) return undefined;
      const at = unit.clock.measuredAt(message, own);
      const isFirst = unit.at === undefined;
      if (at === undefined && !isFirst) return { isNew: false, isFirst }; // what the broker kept is no newer
      unit.values = values;
      unit.at = at;
      return { isNew: at === message.at, isFirst };
    },

    sum(field: FieldName, now: number): Measured<number> | undefined {
      const all = together(field, now);
      const value = all && plausible(field, total(all.numbers));
      return value === undefined ? undefined : { value, at: all!.at };
    },

    mean(field: FieldName, now: number): Measured<number> | undefined {
      const all = together(field, now);
      return all && { value: total(all.numbers) / all.numbers.length, at: all.at };
    },

    /** The sum of what the units say of themselves, also when the broker kept it. */
    known(field: FieldName): number | undefined {
      const newest = Math.max(...[...units.values()].map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
      const there = [...units.values()].filter(({ at }) => at === undefined || newest - at <= goneAfterMs);
      const numbers = there.flatMap(({ values }) => values[field] ?? []);
      return numbers.length > 0 ? total(numbers) : undefined;
    },
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
