import { join } from 'node:path';
import { root } from './source-files.ts';

/** For the environment of tests and of programs of theirs. */
export const thrift = {
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), // what one of them has compiled, the others need not
  NODE_OPTIONS: '--v8-pool-size=1', // of several on two cores, one helper gets further than the usual four
};
