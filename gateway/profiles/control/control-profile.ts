import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { MqttMessage } from '../../links/mqtt/link.ts';
import { readPoint } from '../map/check.ts';
import type { PointDefaults } from '../map/evaluate.ts';
import { holding, type NumberType, type Point } from '../map/point.ts';
import type { Confidence } from '../profile.ts';
import { set, type Write } from './write.ts';

/** The part of a device that a command controls: its battery (or car), or the limit of its generation. */
export type Part = 'battery' | 'pv';

/**
 * Numbers that a control sequence needs before its first write: ratings, limits, addresses, and settings to restore.
 * `rated_W` is the rated power of the inverter; `charge_W` and `discharge_W` are the device's own maximum powers.
 * They are stored on disk with a lease, so a name must not change.
 */
export type Facts = Readonly<Record<string, number>>;

export type Setpoint = {
  /** battery: + charge; pv: maximum generation */
  W: number;
  /** the previous setpoint, or 0 */
  previousW: number;
  /** how often this setpoint was written or refreshed */
  count: number;
};

type ControlInfo = {
  profile: string;
  /** of the whole sequence; sequences below `high` need an explicit opt-in */
  confidence: Confidence;
  /** parts that can only be controlled when the rated power of the inverter is known */
  needsRated?: readonly Part[];
  /** the limit applies to the power of the panels, which then replaces a rating that is not configured */
  limitsPanels?: true;
  /** a lower limit of generation could not be lifted again */
  minGeneration_W?: number;
  /** interval for repeating the setpoint to a device that forgets it */
  refreshMs?: number;
  /** parts whose setpoint expires; default: battery. A persistent limit is written once, because flash memory wears out. */
  expiringParts?: readonly Part[];
  /** shortest time between setpoints that follow the load, for a device that stores each in memory that wears out */
  setpointPauseMs?: number;
  /** how long after the last setpoint the device returns to automatic; omitted if it never does so by itself */
  revertsAfterMs?: number;
};

/** Thrown when the device does not report a number that its control sequence needs. */
export class MissingFact extends Error {
  override name = 'MissingFact';
}

export function getFact(facts: Facts, name: string): number {
  const value = facts[name];
  if (value === undefined)
    throw new MissingFact(`The device does not report ${name}, which is required to control it.`);
  return value;
}

export function getPositiveFact(facts: Facts, name: string): number {
  const value = getFact(facts, name);
  if (value <= 0) throw new MissingFact(`The device reports ${name} as ${value}; control requires a positive value.`);
  return value;
}

type PartSequence = {
  /** A setpoint of zero keeps the battery idle; it is not a release. */
  set(setpoint: Setpoint, facts: Facts): readonly Write[];
  release(facts: Facts): readonly Write[];
};

/** How to control a Modbus device: what to read first, and what to write in which order. */
export type ModbusControl = ControlInfo & {
  /** Reads facts once, before the first write. */
  learn?(read: ReadRegisters): Promise<Facts>;
  /** Reads facts that change, before every setpoint. */
  sense?(read: ReadRegisters, facts: Facts): Promise<Facts>;
  /** Takes control, before the first setpoint. */
  acquire?(facts: Facts): readonly Write[];
  /** pause between two writes, if the device needs more than the usual 50 ms */
  writeGapMs?: number;
  /** malformed replies to writes are ignored; only reading back shows the result */
  hasUnreliableWriteReplies?: true;
} & Partial<Record<Part, PartSequence>>;

/** Returns holding registers of one type by name, from their addresses. */
export const points = (addresses: Readonly<Record<string, number>>, type: NumberType = 'u16'): Record<string, Point> =>
  Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, holding(type, address)]));

/** Reads points by name, without those that the device refuses or has no value for. */
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

/** Writes the facts read from these points back to them, except for those that could not be read. */
export const restore = (points: Readonly<Record<string, Point>>, facts: Facts): Write[] =>
  Object.entries(points).flatMap(([name, { address, type }]) =>
    facts[name] === undefined ? [] : set(address, facts[name], { type }),
  );

/** A message of a control sequence, and how to recognise the reply of the device. */
export type ControlMessage = {
  topic: string;
  payload: string;
  /** Returns whether the device accepted or rejected it; undefined for an unrelated message. */
  answer?(reply: MqttMessage): boolean | undefined;
};

export type MessageContext = { unixS: number; transId(): string };

type PartMessages = {
  set(setpoint: Setpoint, facts: Facts, context: MessageContext): readonly ControlMessage[];
  release(facts: Facts, context: MessageContext): readonly ControlMessage[];
};

export type MqttControl = ControlInfo & {
  subscribe: readonly string[];
  learn?(message: MqttMessage): Facts | undefined;
  /** Takes control of the device that sent this message, before the first setpoint. */
  acquire?(message: MqttMessage): readonly ControlMessage[] | undefined;
  /** nothing is sent until these facts are known */
  requiredFacts?: readonly string[];
} & Partial<Record<Part, PartMessages>>;
