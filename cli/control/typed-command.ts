import { cheapestStepS, type createOrder, maxOrderS } from '#contract/cloud/orders.ts';
import { type CommandAction, commandPower, controlOf, maxLeaseS, takesCommands } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { RequestOf } from '#contract/route.ts';
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
export function readDuration(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 1 || seconds > maxOrderS) {
    throw wrong('--for must be from 1s to 24h, for example: --for 10m.');
  }
  return seconds;
}

/** Reads a time of day. */
export function readTimeOfDay(text: string, name: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text;
  throw wrong(`${name} must be a time of day, for example: ${name} 07:00.`);
}

/** Reads the value of --cheapest in seconds. */
export function readCheapest(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds > 0 && seconds <= maxOrderS && seconds % cheapestStepS === 0) return seconds;
  throw wrong('--cheapest must be from 15m to 24h in steps of 15m, for example: --cheapest 3h.');
}

type EndOptions = {
  for: number | undefined;
  until: string | undefined;
  'until-full': boolean;
  'until-soc': number | undefined;
  cheapest: number | undefined;
  before: string | undefined;
};

type OrderEnd = Omit<RequestOf<typeof createOrder>['body'], 'power_w'>;

/** Returns the end of an order, or undefined for a command of at most an hour. Throws if several ends are given. */
export function endOf(options: EndOptions): OrderEnd | undefined {
  const { for: for_s, until, cheapest: cheapest_s, before } = options;
  const until_soc_pct = options['until-full'] ? 100 : options['until-soc'];
  const names = ['for', 'until', 'until-full', 'until-soc', 'cheapest'] as const;
  const given = names.filter((name) => options[name] !== undefined && options[name] !== false);
  if (given.length > 1) throw wrong(`Give only one of ${given.map((name) => `--${name}`).join(' and ')}.`);
  if (before !== undefined && cheapest_s === undefined) throw wrong('--before is only for --cheapest.');
  if (until !== undefined) return { until };
  if (until_soc_pct !== undefined) return { until_soc_pct };
  if (cheapest_s !== undefined) return { cheapest_s, ...(before !== undefined && { before }) };
  return for_s !== undefined && for_s > maxLeaseS ? { for_s } : undefined;
}
