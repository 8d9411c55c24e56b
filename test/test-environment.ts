import { join } from 'node:path';
import { root } from './source-files.ts';

/** Environment of test processes and of the programs they start. */
export const testEnvironment = {
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), // shared, so that each file is compiled once
  NODE_OPTIONS: '--v8-pool-size=1', // several processes share two cores; the usual four helper threads each are too many
};
