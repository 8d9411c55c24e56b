import { isForTests } from '../source-files.ts';
import { importRule, type Rule } from './rule.ts';
import { importsOf, type Source } from './scan.ts';

// Files that others import or copy from outside the repository.
const forOthers = /^contract\/client\/|^gateway\/profiles\/blueprint\.ts$/;

export const testingRules: Rule[] = [
  importRule(
    'the product imports nothing that is meant for tests',
    ({ from, target }) => !isForTests(from) && target !== undefined && isForTests(target),
    [
      { path: 'gateway/p1/wrong.ts', text: `import { frames } from './testing/frames.ts';` },
      { path: 'stack/wrong.ts', text: `import { scene } from '#cloud/app.test.ts';` },
    ],
  ),
  {
    says: 'files that only tests import are in test/, or in a folder testing/ beside them',
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
    .map(([path, from]) => `${path} is imported only by ${from.join(', ')}`);
}
