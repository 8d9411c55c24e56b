import type { DerTypeId } from '#contract/der.ts';
import { type Direction, directionOf } from '#contract/direction.ts';
import { language, texts } from './text.ts';

/** Names the type of a DER. */
export const derWords = texts({
  en: { solar: 'Solar', battery: 'Battery', meter: 'Meter', ev_charger_port: 'EV charger', load: 'Load' },
  sv: { solar: 'Sol', battery: 'Batteri', meter: 'Elmätare', ev_charger_port: 'Laddbox', load: 'Förbrukning' },
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
