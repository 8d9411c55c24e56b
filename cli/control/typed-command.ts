import { type CommandAction, commandPower, controlOf, maxLeaseS, takesCommands } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { parseDuration, parsePower } from '../line/quantity.ts';
import { UsageError } from '../line/usage-error.ts';

export const actions = ['charge', 'discharge', 'idle', 'curtail', 'release'] as const;

const wrong = (sentence: string): UsageError => new UsageError(sentence, 'command');

const mayCharge = (type: DerTypeId): boolean => takesCommands(type) && controlOf[type] === 'battery';

/** The power of the wire, with its sign: plus charges, minus discharges, and of solar power it is the most. */
export function typedPower(way: CommandAction, text: string | undefined, type: DerTypeId): number {
  const watts = way === 'idle' ? noPower(text) : somePower(way, text);
  if (way === 'curtail' && type !== 'solar') throw wrong(`Only solar power is curtailed; this is of type ${type}.`);
  if (way !== 'curtail' && !mayCharge(type)) {
    const instead = type === 'solar' ? ' Solar power is curtailed, as in curtail 1kW.' : '';
    throw wrong(`Only batteries and cars ${way === 'idle' ? 'stay idle' : way}; this is of type ${type}.${instead}`);
  }
  return commandPower(way, watts);
}

function somePower(way: CommandAction, text: string | undefined): number {
  if (text === undefined) throw wrong(`How much? ${way} needs a power, as in ${way} 2kW.`);
  const watts = parsePower(text);
  if (watts !== undefined) return watts;
  const size = /^[+-](.*)$/.exec(text)?.[1];
  if (size === undefined || parsePower(size) === undefined)
    throw wrong(`"${text}" is not a power; write for example 3kW or 2000W.`);
  const opposite = { charge: 'discharge', discharge: 'charge' }[way as string];
  const instead = text.startsWith('-') && opposite ? `${opposite} ${size}` : `${way} ${size}`;
  throw wrong(`The power has no sign: the action gives the direction. For ${way} ${text} write ${instead}.`);
}

/** Refuses a power that cannot be meant, before anybody is asked. */
export function checkPower(way: (typeof actions)[number], text: string | undefined): void {
  if (way === 'idle') noPower(text);
  else if (way !== 'release') somePower(way, text);
}

function noPower(text: string | undefined): number {
  if (text !== undefined) throw wrong('What stays idle has no power: leave it out.');
  return 0;
}

/** How long it holds, in seconds; undefined leaves it to the platform. */
export function leaseOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 1 || seconds > maxLeaseS) {
    throw wrong('--for is a time from 1s to 1h, as in --for 10m.');
  }
  return seconds;
}
