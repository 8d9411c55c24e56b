import { type CommandAction, type CommandedType, commandActionOf } from '#contract/command.ts';
import { power } from './format.ts';
import { texts } from './text.ts';

const t = texts({
  en: {
    charge: 'Charge with {power}',
    discharge: 'Discharge with {power}',
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
    charge: '{who} charges with {power}',
    discharge: '{who} discharges with {power}',
    idle: '{who} stays idle (neither charging nor discharging)',
    curtail: '{who} are curtailed to {power}',
  },
  sv: {
    charge: '{who} laddar med {power}',
    discharge: '{who} laddar ur med {power}',
    idle: '{who} vilar (laddar varken i eller ur)',
    curtail: '{who} begränsas till {power}',
  },
});

const who = texts({
  en: { battery: 'The battery', ev_charger_port: 'The car', solar: 'The panels' },
  sv: { battery: 'Batteriet', ev_charger_port: 'Bilen', solar: 'Panelerna' },
});

/** What can be asked of a DER, as a choice. */
export const wayWords = texts({
  en: { charge: 'Charge', discharge: 'Discharge', idle: 'Stay idle', curtail: 'Curtail' },
  sv: { charge: 'Ladda', discharge: 'Ladda ur', idle: 'Vila', curtail: 'Begränsa' },
}) satisfies (way: CommandAction) => string;

/** What was asked of it. */
export const commandWords = (type: CommandedType, power_w: number): string =>
  t(commandActionOf(type, power_w), { power: power(power_w) });

/** What it does then: a sentence, or the beginning of one. */
export const effectWords = (type: CommandedType, power_w: number): string =>
  effect(commandActionOf(type, power_w), { who: who(type), power: power(power_w) });
