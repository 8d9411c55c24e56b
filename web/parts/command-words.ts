import { type CommandAction, type CommandedType, commandActionOf } from '#contract/command.ts';
import { power, texts } from './text.ts';

const t = texts({
  charge: 'Charge at {power}',
  discharge: 'Discharge at {power}',
  idle: 'Stay idle',
  curtail: 'Curtail to {power}',
});

const effect = texts({
  charge: '{who} charges at {power}',
  discharge: '{who} discharges at {power}',
  idle: '{who} stays idle',
  curtail: '{who} are curtailed to {power}',
});

const who = texts({
  battery: 'The battery',
  ev_charger_port: 'The car',
  solar: 'The solar panels',
});

export const actionWords = texts({
  charge: 'Charge',
  discharge: 'Discharge',
  idle: 'Stay idle',
  curtail: 'Curtail',
}) satisfies (way: CommandAction) => string;

export const commandWords = (type: CommandedType, power_w: number): string =>
  t(commandActionOf(type, power_w), { power: power(power_w) });

/** Describes the effect of a command, as a sentence or the beginning of one. */
export const effectWords = (type: CommandedType, power_w: number): string =>
  effect(commandActionOf(type, power_w), { who: who(type), power: power(power_w) });
