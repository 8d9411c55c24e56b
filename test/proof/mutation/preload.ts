// Loaded before everything else in a process that runs a mutant (`node --import`). MUTANT is its file and its change, as JSON.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../source-files.ts';
import type { Mutant } from './mutants.ts';

const { file, start, end, text } = JSON.parse(process.env.MUTANT ?? '') as Mutant & { file: string };
const path = join(root, file);
const original = readFileSync(path, 'utf8');
const source = original.slice(0, start) + text + original.slice(end);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url === pathToFileURL(path).href ? { ...loaded, source } : loaded;
  },
});
