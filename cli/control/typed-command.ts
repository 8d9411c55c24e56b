import { type CommandAction, commandPower, controlOf, maxLeaseS, takesCommands } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { UsageError } from '../line/command.ts';
import { parseDuration, parsePower } from '../line/quantity.ts';

export const actions = ['charge', 'discharge', 'idle', 'curtail', 'release'] as const;

const wrong = (sentence: string): UsageError => new UsageError(sentence);

const mayCharge = (type: DerTypeId): boolean => takesCommands(type) && controlOf[type] === 'battery';

/** Returns the signed power for the API: positive charges, negative discharges; for solar power it is the limit. */
export function parseSignedPower(way: CommandAction, text: string | undefined, type: DerTypeId): number {
  const watts = way === 'idle' ? noPower(text) : somePower(way, text);
  if (way === 'curtail' && type !== 'solar')
    throw wrong(`Only solar power can be curtailed; this DER is of type ${type}.`);
  if (way !== 'curtail' && !mayCharge(type)) {
    const instead = type === 'solar' ? ' Solar power can be curtailed, for example: curtail 1kW.' : '';
    throw wrong(
      `Only batteries and cars can ${way === 'idle' ? 'stay idle' : way}; this DER is of type ${type}.${instead}`,
    );
  }
  return commandPower(way, watts);
}

const opposites: Partial<Record<CommandAction, CommandAction>> = { charge: 'discharge', discharge: 'charge' };

function somePower(way: CommandAction, text: string | undefined): number {
  if (text === undefined) throw wrong(`${way} needs a power, for example: ${way} 2kW.`);
  const watts = parsePower(text);
  if (watts !== undefined) return watts;
  const size = /^[+-](.*)$/.exec(text)?.[1];
  if (size === undefined || parsePower(size) === undefined)
    throw wrong(`"${text}" is not a valid power. Examples: 3kW, 2000W`);
  const opposite = opposites[way];
  const instead = text.startsWith('-') && opposite ? `${opposite} ${size}` : `${way} ${size}`;
  throw wrong(
    `Give the power without a sign; the action sets the direction. Instead of ${way} ${text}, write: ${instead}`,
  );
}

export function checkPower(way: (typeof actions)[number], text: string | undefined): void {
  if (way === 'idle') noPower(text);
  else if (way !== 'release') somePower(way, text);
}

function noPower(text: string | undefined): number {
  if (text !== undefined) throw wrong('idle takes no power.');
  return 0;
}

/** Reads the value of --for in seconds. */
export function readLease(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 1 || seconds > maxLeaseS) {
    throw wrong('--for must be from 1s to 1h, for example: --for 10m.');
  }
  return seconds;
}
