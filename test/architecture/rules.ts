import { importRules } from './import-rules.ts';
import { layerRules } from './layer-rules.ts';
import type { Rule } from './rule.ts';
import { testingRules } from './testing-rules.ts';
import { textRules } from './text-rules.ts';

export const rules: Rule[] = [...importRules, ...layerRules, ...testingRules, ...textRules];
