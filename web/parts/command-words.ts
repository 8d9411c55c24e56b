import { type CommandAction, type CommandedType, commandActionOf } from '#contract/command.ts';
import { power } from './format.ts';
import { texts } from './text.ts';

const t = texts({
  en: {
    charge: 'Charge at {power}',
    discharge: 'Discharge at {power}',
    idle: 'Stay idle',
    curtail: 'Curtail to {power}',
  },
  sv: {
    charge: 'Ladda med {power}',
    discharge: 'Ladda ur med {power}',
    idle: 'Vila',
    curtail: 'Begränsa till {power}',
  },
});

const effect = texts({
  en: {
    charge: '{who} charges at {power}',
    discharge: '{who} discharges at {power}',
    idle: '{who} stays idle',
    curtail: '{who} are curtailed to {power}',
  },
  sv: {
    charge: '{who} laddar med {power}',
    discharge: '{who} laddar ur med {power}',
    idle: '{who} vilar',
    curtail: '{who} begränsas till {power}',
  },
});

const who = texts({
  en: { battery: 'The battery', ev_charger_port: 'The car', solar: 'The solar panels' },
  sv: { battery: 'Batteriet', ev_charger_port: 'Bilen', solar: 'Solpanelerna' },
});

/** Names the commands that a DER accepts, as choices. */
export const actionWords = texts({
  en: { charge: 'Charge', discharge: 'Discharge', idle: 'Stay idle', curtail: 'Curtail' },
  sv: { charge: 'Ladda', discharge: 'Ladda ur', idle: 'Vila', curtail: 'Begränsa' },
}) satisfies (way: CommandAction) => string;

/** Describes a command. */
export const commandWords = (type: CommandedType, power_w: number): string =>
  t(commandActionOf(type, power_w), { power: power(power_w) });

/** Describes the effect of a command, as a sentence or the beginning of one. */
export const effectWords = (type: CommandedType, power_w: number): string =>
  effect(commandActionOf(type, power_w), { who: who(type), power: power(power_w) });
