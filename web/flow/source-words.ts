import { texts } from '../parts/text.ts';
import type { Share } from './flows.ts';

export const sourceWords = texts({
  en: { sun: 'Sun', battery: 'Battery', grid: 'Grid', car: 'Car', house: 'House' },
  sv: { sun: 'Sol', battery: 'Batteri', grid: 'Elnät', car: 'Bil', house: 'Hus' },
});

/** The class that gives a flow its colour. */
export const colourOf = ({ source, to }: Pick<Share, 'source' | 'to'>): string =>
  source === 'grid' ? (to === 'in' ? 'grid-in' : 'grid-out') : source;
