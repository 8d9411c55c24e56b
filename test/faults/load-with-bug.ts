import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { type Bug, withBug } from '../proof/planted/bug.ts';

// Imported before a program: BUG is in its file when the program loads it.

const bug = JSON.parse(process.env.BUG!) as Pick<Bug, 'file' | 'from' | 'to'>;
const url = new URL(`../../${bug.file}`, import.meta.url);
const source = withBug(readFileSync(url, 'utf8'), bug);
if (source === undefined) throw new Error(`The bug does not apply to ${bug.file}.`);

registerHooks({
  load: (asked, context, next) => (asked === url.href ? { ...next(asked, context), source } : next(asked, context)),
});
