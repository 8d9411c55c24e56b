import type { ColourName } from '../../chart/chart.tsx';
import { texts } from '../../parts/text.ts';
import type { Flow } from './energy.ts';

export const flowWords = texts({
  en: {
    generated: 'Sun',
    imported: 'From grid',
    discharged: 'From battery',
    carGave: 'From car',
    house: 'House',
    carTook: 'To car',
    charged: 'To battery',
    exported: 'To grid',
  },
  sv: {
    generated: 'Sol',
    imported: 'Från elnätet',
    discharged: 'Från batteriet',
    carGave: 'Från bilen',
    house: 'Hus',
    carTook: 'Till bilen',
    charged: 'Till batteriet',
    exported: 'Till elnätet',
  },
});

export const flowColours: Record<Flow, ColourName> = {
  generated: 'sun',
  imported: 'grid-in',
  discharged: 'battery',
  carGave: 'car',
  house: 'load',
  carTook: 'car',
  charged: 'battery',
  exported: 'grid-out',
};

/** Sources are drawn upwards, uses downwards. */
export const comesIn: Record<Flow, boolean> = {
  generated: true,
  imported: true,
  discharged: true,
  carGave: true,
  house: false,
  carTook: false,
  charged: false,
  exported: false,
};

const sideWords = texts({
  en: { up: 'comes in', down: 'goes out' },
  sv: { up: 'kommer in', down: 'går ut' },
});

export const sides = (): { up: string; down: string } => ({ up: sideWords('up'), down: sideWords('down') });
