import { commandActionOf } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { directionOf } from '#contract/direction.ts';
import { formatEnergy, formatPower } from '../line/quantity.ts';

/** Describes a power with its direction in words: `charging 1.20 kW`. */
export const describePower = (type: DerTypeId, watts: number): string =>
  `${directionOf(type, watts)} ${formatPower(watts)}`;

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

type Shown = [field: string, words: (value: number) => string];

const counted = (field: string, word: string): Shown => [field, (value) => `${formatEnergy(value)} ${word}`];

/** The values to show beside the power, by type; fields that were not read are left out. */
const energyFields: Record<DerTypeId, readonly Shown[]> = {
  solar: [counted('total_generation_Wh', 'generated')],
  battery: [['SoC_nom_fract', (value) => `${percent(value)} full`]],
  meter: [counted('total_import_Wh', 'in'), counted('total_export_Wh', 'out')],
  ev_charger_port: [
    ['vehicle_soc_fract', (value) => `car ${percent(value)} full`],
    counted('session_charge_Wh', 'charged'),
  ],
  load: [counted('total_import_Wh', 'used')],
};

export function describeEnergy(type: DerTypeId, reading: Readonly<Record<string, unknown>>): string {
  return energyFields[type]
    .flatMap(([field, words]) => {
      const value = reading[field];
      return typeof value === 'number' ? [words(value)] : [];
    })
    .join(', ');
}

/** Describes a command: `charge 3.00 kW`. */
export function describeCommand(type: DerTypeId, watts: number): string {
  const way = commandActionOf(type, watts);
  if (way === 'idle') return 'stay idle';
  return `${way === 'curtail' ? 'curtail to' : way} ${formatPower(watts)}`;
}
