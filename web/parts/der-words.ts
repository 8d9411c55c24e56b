import type { DerTypeId } from '#contract/der.ts';
import { type Direction, directionOf } from '#contract/direction.ts';
import { language, texts } from './text.ts';

/** Names the type of a DER. */
export const derWords = texts({
  solar: ['Solar', 'Sol'],
  battery: ['Battery', 'Batteri'],
  meter: ['Meter', 'Elmätare'],
  ev_charger_port: ['EV charger', 'Laddbox'],
  load: ['Load', 'Förbrukning'],
});

const swedish: Record<Direction, string> = {
  generating: 'producerar',
  'not generating': 'producerar inte',
  charging: 'laddar',
  discharging: 'laddar ur',
  idle: 'vilar',
  importing: 'köper',
  exporting: 'säljer',
  'in balance': 'i balans',
  using: 'förbrukar',
  'giving back': 'matar tillbaka',
};

/** Names the direction of a power; the English words are those of the contract. */
export function directionWords(type: DerTypeId, watts: number): string {
  const direction = directionOf(type, watts);
  return language.value === 'sv' ? swedish[direction] : direction;
}
