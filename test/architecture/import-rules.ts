import { isBuiltin } from 'node:module';
import { isForTests } from '../source-files.ts';
import { importCycles } from './cycles.ts';
import { importRule, type Rule } from './rule.ts';

const services = ['cloud', 'gateway', 'price', 'sim'];
const everything = ['contract', 'lib', 'plan', ...services, 'stack', 'cli', 'web', 'bench', 'test'];

const mayImport: Record<string, string[]> = {
  contract: ['contract'],
  lib: ['lib', 'contract'],
  plan: ['plan', 'contract'],
  ...Object.fromEntries(services.map((service) => [service, [service, 'plan', 'lib', 'contract']])),
  stack: ['stack', ...services, 'plan', 'lib', 'contract'],
  cli: ['cli', 'stack', ...services, 'plan', 'lib', 'contract'],
  web: ['web', 'contract'],
  pack: ['pack'],
  bench: everything,
  test: everything,
};

const folderOf = (path: string): string => path.split('/')[0]!;

export const importRules: Rule[] = [
  importRule(
    'folders import only what the table of the architecture allows',
    ({ from, target }) => {
      if (!target || (isForTests(from) && folderOf(target) === 'test')) return false;
      return !mayImport[folderOf(from)]?.includes(folderOf(target));
    },
    [
      { path: 'contract/wrong.ts', text: `import { log } from '#lib/log.ts';` },
      { path: 'plan/wrong.ts', text: `import { log } from '#lib/log.ts';` },
      { path: 'lib/wrong.ts', text: `export { open } from '../cloud/store/open.ts';` },
      { path: 'cloud/wrong.ts', text: `import type { Price } from '#price/prices.ts';` },
      { path: 'price/wrong.ts', text: `const helper = await import('#test/free-port.ts');` },
      { path: 'garage/wrong.ts', text: `import { log } from '#lib/log.ts';` },
      { path: 'web/wrong.ts', text: `import '#lib/clock.ts';` },
      { path: 'stack/wrong.ts', text: `import {\n  run,\n} from '#cli/main.ts';` },
    ],
  ),
  importRule(
    'the simulator never imports the gateway',
    ({ from, target }) => folderOf(from) === 'sim' && folderOf(target ?? '') === 'gateway',
    [
      { path: 'sim/wrong.ts', text: `import { sungrow } from '#gateway/profiles/sungrow.ts';` },
      { path: 'sim/wrong.test.ts', text: `import { sungrow } from '../gateway/profiles/sungrow.ts';` },
    ],
  ),
  importRule(
    'contract imports no package but typebox',
    ({ from, target, specifier }) =>
      folderOf(from) === 'contract' && !isForTests(from) && !target && !/^typebox(\/|$)/.test(specifier),
    [{ path: 'contract/wrong.ts', text: `import { createHash } from 'node:crypto';` }],
  ),
  importRule(
    'an import names its file, a package, or a node: module',
    ({ target, specifier }) =>
      target ? !/\.\w+(\?\w+)?$/.test(specifier) : isBuiltin(specifier) && !specifier.startsWith('node:'),
    [
      { path: 'lib/wrong.ts', text: `import { retry } from './retry';` },
      { path: 'cloud/wrong.ts', text: `import { log } from '#lib/log';` },
      { path: 'cli/wrong.ts', text: `import { join } from 'path';` },
    ],
  ),
  {
    says: 'imports form no cycles',
    findings: importCycles,
    wrong: [
      { path: 'lib/wrong-a.ts', text: `import { b } from './wrong-b.ts';` },
      { path: 'lib/wrong-b.ts', text: `\nexport { c } from './wrong-c.ts';` },
      { path: 'lib/wrong-c.ts', text: `import type { A } from '#lib/wrong-a.ts';` },
    ],
  },
];
