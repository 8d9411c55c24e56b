import { join } from 'node:path';
import { root } from './source-files.ts';

// several processes share two cores; the usual four helper threads each are too many
const { PLANTED_BUG, NODE_OPTIONS = '--v8-pool-size=1' } = process.env;

/** Environment of test processes and of the programs they start. */
export const testEnvironment = {
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), // shared, so that each file is compiled once
  NODE_OPTIONS,
  ...(PLANTED_BUG && { PLANTED_BUG }),
};
