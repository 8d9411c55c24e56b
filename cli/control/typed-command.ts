import { controlOf, longestLeaseS, powerOf, takesCommands } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { parseDuration, parsePower } from '../line/quantity.ts';
import { UsageError } from '../line/usage-error.ts';

export const actions = ['charge', 'discharge', 'curtail', 'release'] as const;
export type Action = (typeof actions)[number];

const wrong = (sentence: string): UsageError => new UsageError(sentence, 'command');

const mayCharge = (type: DerTypeId): boolean => takesCommands(type) && controlOf[type] === 'battery';

/** The power of the wire, with its sign: plus charges, minus discharges, and of solar power it is the most. */
export function typedPower(action: Exclude<Action, 'release'>, text: string | undefined, type: DerTypeId): number {
  if (text === undefined) throw wrong(`How much? ${action} needs a power, as in ${action} 2kW.`);
  const watts = parsePower(text);
  if (watts === undefined) throw wrong(`"${text}" is no power; one is 3kW or 2000W.`);
  if (action === 'curtail' && type !== 'solar') throw wrong(`Only solar power is curtailed; this is of type ${type}.`);
  if (action !== 'curtail' && !mayCharge(type)) {
    const instead = type === 'solar' ? ' Solar power is curtailed, as in curtail 1kW.' : '';
    throw wrong(`Only batteries and vehicles ${action}; this is of type ${type}.${instead}`);
  }
  return powerOf(action, watts);
}

/** How long it holds, in seconds; undefined leaves it to the platform. */
export function leaseOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 1 || seconds > longestLeaseS) {
    throw wrong('--for is a time from 1s to 1h, as in --for 10m.');
  }
  return seconds;
}
