import { fieldWords } from '../../parts/field-words.ts';
import { texts } from '../../parts/text.ts';

const parts = {
  en: {
    L1: 'Phase 1',
    L2: 'Phase 2',
    L3: 'Phase 3',
    mppt1: 'String 1',
    mppt2: 'String 2',
    dc: 'DC side',
    ac: 'AC side',
  },
  sv: {
    L1: 'Fas 1',
    L2: 'Fas 2',
    L3: 'Fas 3',
    mppt1: 'Sträng 1',
    mppt2: 'Sträng 2',
    dc: 'DC-sidan',
    ac: 'AC-sidan',
  },
};

const t = texts(parts);

const isPart = (name: string): name is keyof typeof parts.en => Object.hasOwn(parts.en, name);

/** What a field of a reading is called. L1_V is told by its phase: what is measured stands at the chart. */
export function fieldName(field: string): string {
  const part = field.slice(0, field.lastIndexOf('_'));
  return isPart(part) ? t(part) : fieldWords(field);
}
