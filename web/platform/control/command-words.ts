import type { CommandedType } from '#contract/command.ts';
import { power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { type Way, wayOf } from './commanded-power.ts';

const t = texts({
  en: {
    charge: 'Charge with {power}',
    discharge: 'Discharge with {power}',
    give: 'Give back {power}',
    hold: 'Stand still',
    limit: 'Give {power} at most',
    nothing: 'Give nothing',
  },
  sv: {
    charge: 'Ladda med {power}',
    discharge: 'Ladda ur med {power}',
    give: 'Ge tillbaka {power}',
    hold: 'Stå still',
    limit: 'Ge högst {power}',
    nothing: 'Ge ingenting',
  },
});

const effect = texts({
  en: {
    charge: '{who} charges with {power}',
    discharge: '{who} discharges with {power}',
    give: '{who} gives back {power}',
    hold: '{who} stands still, neither charging nor discharging,',
    limit: '{who} give {power} at most',
    nothing: '{who} give nothing',
  },
  sv: {
    charge: '{who} laddar med {power}',
    discharge: '{who} laddar ur med {power}',
    give: '{who} ger tillbaka {power}',
    hold: '{who} står still, laddar varken i eller ur,',
    limit: '{who} ger högst {power}',
    nothing: '{who} ger ingenting',
  },
});

const who = texts({
  en: { battery: 'The battery', ev_charger_port: 'The car', solar: 'The panels' },
  sv: { battery: 'Batteriet', ev_charger_port: 'Bilen', solar: 'Panelerna' },
});

const wayWords = texts({
  en: { charge: 'Charge', discharge: 'Discharge', give: 'Give back', hold: 'Hold still', limit: 'Limit' },
  sv: { charge: 'Ladda', discharge: 'Ladda ur', give: 'Ge tillbaka', hold: 'Håll still', limit: 'Begränsa' },
});

const keyOf = (type: CommandedType, way: Way): Way | 'give' =>
  way === 'discharge' && type === 'ev_charger_port' ? 'give' : way;

const sentenceKey = (type: CommandedType, power_w: number) => {
  const way = wayOf(type, power_w);
  return way === 'limit' && power_w === 0 ? 'nothing' : keyOf(type, way);
};

/** What can be asked of it, as a choice. */
export const choiceOf = (type: CommandedType, way: Way): string => wayWords(keyOf(type, way));

/** What was asked of it. */
export const commandWords = (type: CommandedType, power_w: number): string =>
  t(sentenceKey(type, power_w), { power: power(power_w) });

/** What it does then; the beginning of a sentence. */
export const effectWords = (type: CommandedType, power_w: number): string =>
  effect(sentenceKey(type, power_w), { who: who(type), power: power(power_w) });
