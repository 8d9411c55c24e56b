import type { DerTypeId } from '#contract/der.ts';
import { type Direction, directionOf } from '#contract/direction.ts';
import { percent, texts } from './text.ts';

export const derWords = texts({
  solar: 'Solar',
  battery: 'Battery',
  meter: 'Meter',
  ev_charger_port: 'EV charger',
  load: 'Load',
});

// The English words are those of the contract.
const directions = texts<Direction>({
  generating: 'generating',
  'not generating': 'not generating',
  charging: 'charging',
  discharging: 'discharging',
  idle: 'idle',
  importing: 'importing',
  exporting: 'exporting',
  'in balance': 'in balance',
  using: 'using',
  'giving back': 'giving back',
});

export const directionWords = (type: DerTypeId, watts: number): string => directions(directionOf(type, watts));

const t = texts({ charge: '{percent} charged' });

export const chargeWords = (fraction: number): string => t('charge', { percent: percent(fraction) });
