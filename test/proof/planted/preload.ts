// Loaded before everything else in a process that has a planted bug (`node --import`). PLANTED_BUG is the id of the bug.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../../source-files.ts';
import { bugs, harmless } from './bugs.ts';

const bug = [...bugs, harmless].find(({ id }) => id === process.env.PLANTED_BUG);
if (!bug) throw new Error(`Unknown planted bug "${process.env.PLANTED_BUG}".`);

const target = new URL(bug.module, pathToFileURL(`${root}/`)).href;
const bugsFile = import.meta.resolve('./bugs.ts');
const faulty = Object.keys(bug.replace).map(
  (name) => `export const ${name} = bug.replace[${JSON.stringify(name)}](real);`,
);
const source = `
import * as real from '${target}?real';
import { bugs, harmless } from '${bugsFile}';
const bug = [...bugs, harmless].find(({ id }) => id === ${JSON.stringify(bug.id)});
export * from '${target}?real';
${faulty.join('\n')}
`;

registerHooks({
  load(url, context, nextLoad) {
    if (url === target) return { format: 'module', source, shortCircuit: true };
    return nextLoad(url, context);
  },
});
