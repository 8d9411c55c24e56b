import { type CommandAction, type CommandedType, commandActionOf } from '#contract/command.ts';
import { power, texts } from './text.ts';

const t = texts({
  charge: ['Charge at {power}', 'Ladda med {power}'],
  discharge: ['Discharge at {power}', 'Ladda ur med {power}'],
  idle: ['Stay idle', 'Vila'],
  curtail: ['Curtail to {power}', 'Begränsa till {power}'],
});

const effect = texts({
  charge: ['{who} charges at {power}', '{who} laddar med {power}'],
  discharge: ['{who} discharges at {power}', '{who} laddar ur med {power}'],
  idle: ['{who} stays idle', '{who} vilar'],
  curtail: ['{who} are curtailed to {power}', '{who} begränsas till {power}'],
});

const who = texts({
  battery: ['The battery', 'Batteriet'],
  ev_charger_port: ['The car', 'Bilen'],
  solar: ['The solar panels', 'Solpanelerna'],
});

export const actionWords = texts({
  charge: ['Charge', 'Ladda'],
  discharge: ['Discharge', 'Ladda ur'],
  idle: ['Stay idle', 'Vila'],
  curtail: ['Curtail', 'Begränsa'],
}) satisfies (way: CommandAction) => string;

export const commandWords = (type: CommandedType, power_w: number): string =>
  t(commandActionOf(type, power_w), { power: power(power_w) });

/** Describes the effect of a command, as a sentence or the beginning of one. */
export const effectWords = (type: CommandedType, power_w: number): string =>
  effect(commandActionOf(type, power_w), { who: who(type), power: power(power_w) });
