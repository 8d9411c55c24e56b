import type { DerTypeId } from '#contract/der.ts';
import { type Direction, directionOf } from '#contract/direction.ts';
import { percent, texts } from './text.ts';

export const derWords = texts({
  solar: ['Solar', 'Sol'],
  battery: ['Battery', 'Batteri'],
  meter: ['Meter', 'Elmätare'],
  ev_charger_port: ['EV charger', 'Laddbox'],
  load: ['Load', 'Förbrukning'],
});

// The English words are those of the contract.
const directions = texts<Direction>({
  generating: ['generating', 'producerar'],
  'not generating': ['not generating', 'producerar inte'],
  charging: ['charging', 'laddar'],
  discharging: ['discharging', 'laddar ur'],
  idle: ['idle', 'vilar'],
  importing: ['importing', 'köper'],
  exporting: ['exporting', 'säljer'],
  'in balance': ['in balance', 'i balans'],
  using: ['using', 'förbrukar'],
  'giving back': ['giving back', 'matar tillbaka'],
});

export const directionWords = (type: DerTypeId, watts: number): string => directions(directionOf(type, watts));

const t = texts({ charge: ['{percent} charged', '{percent} laddat'] });

export const chargeWords = (fraction: number): string => t('charge', { percent: percent(fraction) });
