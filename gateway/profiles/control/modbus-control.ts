import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { readPoint } from '../map/check.ts';
import type { PointDefaults } from '../map/evaluate.ts';
import type { Point } from '../map/point.ts';
import type { Asked, ControlInfo, Facts, Part } from './control-profile.ts';
import { set, type Write } from './write.ts';

export type PartSequence = {
  /** A set point of zero holds the battery at rest; it is not a release. */
  set(asked: Asked, facts: Facts): readonly Write[];
  release(facts: Facts): readonly Write[];
};

/** How a Modbus device is controlled: what to read once, and what to write in which order. */
export type ModbusControl = ControlInfo & {
  /** read once, before the first write */
  learn?(read: ReadRegisters): Promise<Facts>;
  /** read before every set point, because it changes */
  sense?(read: ReadRegisters, facts: Facts): Promise<Facts>;
  /** taking control, before the first set point */
  take?(facts: Facts): readonly Write[];
  /** longer than the 50 ms that every device gets between two writes */
  writeGapMs?: number;
  /** an answer to a write that is no answer proves nothing; only reading back does */
  answersOddly?: true;
} & Partial<Record<Part, PartSequence>>;

/** The points that the device tells, under their names; those it refuses or has no value for are left out. */
export async function readFacts(
  points: Readonly<Record<string, Point>>,
  read: ReadRegisters,
  defaults: PointDefaults = {},
): Promise<Facts> {
  const facts: Record<string, number> = {};
  for (const [name, point] of Object.entries(points)) {
    const value = await readPoint(point, defaults, read);
    if (value !== undefined && !Number.isNaN(value)) facts[name] = value;
  }
  return facts;
}

/** What was read from these points, back in them; those that the device did not tell are left as they are. */
export const putBack = (points: Readonly<Record<string, Point>>, facts: Facts): Write[] =>
  Object.entries(points).flatMap(([name, { address, type }]) =>
    facts[name] === undefined ? [] : set(address, facts[name], { type }),
  );
