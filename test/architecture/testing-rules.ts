import { isForTests } from '../source-files.ts';
import { importRule, type Rule } from './rule.ts';
import { importsOf, type Source } from './scan.ts';

// What others import, or copy, without being here.
const forOthers = /^contract\/client\/|^gateway\/profiles\/blueprint\.ts$/;

export const testingRules: Rule[] = [
  importRule(
    'the product imports nothing that is for tests',
    ({ from, target }) => !isForTests(from) && target !== undefined && isForTests(target),
    [
      { path: 'gateway/p1/wrong.ts', text: `import { frames } from './testing/frames.ts';` },
      { path: 'stack/wrong.ts', text: `import { scene } from '#cloud/app.test.ts';` },
    ],
  ),
  {
    says: 'what only tests import is in test/, or in a folder testing/ beside them',
    findings: onlyForTests,
    wrong: [
      { path: 'lib/wrong.ts', text: '' },
      { path: 'lib/wrong.test.ts', text: `import './wrong.ts';` },
    ],
  },
];

function onlyForTests(sources: Source[]): string[] {
  const importers = new Map<string, string[]>();
  for (const { from, target } of sources.flatMap(importsOf)) {
    if (target) importers.set(target, [...(importers.get(target) ?? []), from]);
  }
  return [...importers]
    .filter(([path, from]) => !isForTests(path) && !forOthers.test(path) && from.every(isForTests))
    .map(([path, from]) => `${path} is imported by ${from.join(', ')} alone`);
}
