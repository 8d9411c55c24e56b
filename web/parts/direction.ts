import type { DerTypeId } from '#contract/der.ts';
import { type Direction, directionOf } from '#contract/direction.ts';
import { language } from './text.ts';

const swedish: Record<Direction, string> = {
  generating: 'producerar',
  'not generating': 'producerar inte',
  charging: 'laddar',
  discharging: 'laddar ur',
  idle: 'vilar',
  importing: 'köper',
  exporting: 'säljer',
  'in balance': 'i balans',
  using: 'använder',
  'giving back': 'ger tillbaka',
};

/** Which way power flows, in a word; in English as the contract says it. */
export function directionWords(type: DerTypeId, watts: number): string {
  const direction = directionOf(type, watts);
  return language.value === 'sv' ? swedish[direction] : direction;
}
