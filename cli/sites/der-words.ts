import { commandActionOf } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { directionOf } from '#contract/direction.ts';
import { showEnergy, showPower } from '../line/quantity.ts';

/** `charging 1.20 kW`: people get the word instead of the sign. */
export const powerWords = (type: DerTypeId, watts: number): string => `${directionOf(type, watts)} ${showPower(watts)}`;

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

type Shown = [field: string, words: (value: number) => string];

const counted = (field: string, word: string): Shown => [field, (value) => `${showEnergy(value)} ${word}`];

/** What is worth a look beside the power: of each list whatever was read. */
const stores: Record<DerTypeId, readonly Shown[]> = {
  solar: [counted('total_generation_Wh', 'generated')],
  battery: [['SoC_nom_fract', (value) => `${percent(value)} full`]],
  meter: [counted('total_import_Wh', 'in'), counted('total_export_Wh', 'out')],
  ev_charger_port: [
    ['vehicle_soc_fract', (value) => `car ${percent(value)} full`],
    counted('session_charge_Wh', 'charged'),
  ],
  load: [counted('total_import_Wh', 'used')],
};

export function energyWords(type: DerTypeId, reading: Readonly<Record<string, unknown>>): string {
  return stores[type]
    .flatMap(([field, words]) => {
      const value = reading[field];
      return typeof value === 'number' ? [words(value)] : [];
    })
    .join(', ');
}

/** What a command asks for. */
export function commandWords(type: DerTypeId, watts: number): string {
  const way = commandActionOf(type, watts);
  if (way === 'idle') return 'stay idle';
  return `${way === 'curtail' ? 'curtail to' : way} ${showPower(watts)}`;
}
