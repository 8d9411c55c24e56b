import { join } from 'node:path';
import { root } from './source-files.ts';

/** For the environment of tests and of programs of theirs: what one of them has compiled, the others need not. */
export const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
