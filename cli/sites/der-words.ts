import type { DerTypeId } from '#contract/der.ts';
import { showEnergy, showPower } from '../line/quantity.ts';

// docs/units-and-signs.md: plus flows in, minus flows out. People get the word instead of the sign.
const directions: Record<DerTypeId, { in: string; out: string }> = {
  solar: { in: 'using', out: 'generating' },
  battery: { in: 'charging', out: 'discharging' },
  meter: { in: 'importing', out: 'exporting' },
  ev_charger_port: { in: 'charging', out: 'discharging' },
  load: { in: 'using', out: 'giving back' },
};

/** `charging 1.20 kW`; what is too little to show is idle. */
export function powerWords(type: DerTypeId, watts: number): string {
  if (Math.abs(watts) < 0.5) return 'idle';
  return `${directions[type][watts > 0 ? 'in' : 'out']} ${showPower(watts)}`;
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

type Shown = [field: string, words: (value: number) => string];

const counted = (field: string, word: string): Shown => [field, (value) => `${showEnergy(value)} ${word}`];

/** What is worth a look beside the power: of each list whatever was read. */
const stores: Record<DerTypeId, readonly Shown[]> = {
  solar: [counted('total_generation_Wh', 'generated')],
  battery: [['SoC_nom_fract', (value) => `${percent(value)} full`]],
  meter: [counted('total_import_Wh', 'in'), counted('total_export_Wh', 'out')],
  ev_charger_port: [
    ['vehicle_soc_fract', (value) => `vehicle ${percent(value)} full`],
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
  if (type === 'solar') return `curtail to ${showPower(watts)}`;
  if (watts === 0) return 'stand still';
  return `${watts > 0 ? 'charge' : 'discharge'} ${showPower(watts)}`;
}
