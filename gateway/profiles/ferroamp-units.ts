import type { Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { MqttMessage } from '../links/mqtt/link.ts';
import { createDeviceClock, isFresh, type Measured, plausible } from './mqtt-values.ts';

const maxUnits = 32;
const removedAfterMs = 600_000; // the unit was uninstalled

type Unit = { clock: ReturnType<typeof createDeviceClock>; values: Values; at: number | undefined };

type Put = { isNew: boolean; isFirst: boolean };

export type FerroampUnits = ReturnType<typeof createFerroampUnits>;

/** Collects units that report separately. Totals exist only while all are fresh: without one they would be wrong. */
export function createFerroampUnits(staleAfterMs: number) {
  const units = new Map<string, Unit>();
  let lastAt: number | undefined;

  /** Waits for all units again after the clock was set or a long silence, when it is unknown which were removed. */
  function handleClockJump(at: number): void {
    const hasJumped = lastAt !== undefined && !isFresh(lastAt, at, removedAfterMs);
    lastAt = at;
    if (!hasJumped) return;
    for (const unit of units.values()) if (unit.at !== undefined) unit.at = at - staleAfterMs - 1;
  }

  function makeRoom(now: number): boolean {
    for (const [id, { at }] of units) {
      if (units.size < maxUnits) break;
      if (at === undefined || !isFresh(at, now, removedAfterMs)) units.delete(id);
    }
    return units.size < maxUnits;
  }

  function unitOf(id: string, now: number): Unit | undefined {
    const known = units.get(id);
    if (known || !makeRoom(now)) return known;
    const unit: Unit = { clock: createDeviceClock(), values: {}, at: undefined };
    units.set(id, unit);
    return unit;
  }

  /** Returns the values of all units; undefined if one is stale or does not report the field. */
  function collect(field: FieldName, now: number): { numbers: number[]; at: number } | undefined {
    const numbers: number[] = [];
    let newest = Number.NEGATIVE_INFINITY;
    for (const { values, at } of units.values()) {
      if (at === undefined || !isFresh(at, now, removedAfterMs)) continue;
      const number = values[field];
      if (number === undefined || !isFresh(at, now, staleAfterMs)) return undefined;
      numbers.push(number);
      newest = Math.max(newest, at);
    }
    return numbers.length > 0 ? { numbers, at: newest } : undefined;
  }

  return {
    /** Returns whether this is a new measurement and the first of its unit; undefined if there are implausibly many units. */
    put(id: string, values: Values, message: MqttMessage, own: number | undefined): Put | undefined {
      handleClockJump(message.at);
      const unit = unitOf(id, message.at);
      if (!unit) return undefined;
      const at = unit.clock.measuredAt(message, own);
      const isFirst = unit.at === undefined;
      if (at === undefined && !isFirst) return { isNew: false, isFirst }; // a retained message is not newer
      unit.values = values;
      unit.at = at;
      return { isNew: at === message.at, isFirst };
    },

    sum(field: FieldName, now: number): Measured<number> | undefined {
      const all = collect(field, now);
      if (!all) return undefined;
      const value = plausible(field, total(all.numbers));
      return value === undefined ? undefined : { value, at: all.at };
    },

    mean(field: FieldName, now: number): Measured<number> | undefined {
      const all = collect(field, now);
      return all && { value: total(all.numbers) / all.numbers.length, at: all.at };
    },

    /** Returns the sum of a rating over all units, including retained values. */
    known(field: FieldName): number | undefined {
      const newest = Math.max(...[...units.values()].map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
      const installed = [...units.values()].filter(({ at }) => at === undefined || newest - at <= removedAfterMs);
      const numbers = installed.flatMap(({ values }) => values[field] ?? []);
      return numbers.length > 0 ? total(numbers) : undefined;
    },
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
