import { join } from 'node:path';
import { root } from './source-files.ts';

// several processes share two cores; the usual four helper threads each are too many
const { PLANTED_BUG, NODE_OPTIONS = '--v8-pool-size=1' } = process.env;

const cache = (name: string): string => join(root, 'node_modules/.cache', name);

/** Environment of test processes and of the programs they start. */
export const testEnvironment = {
  NODE_COMPILE_CACHE: cache('compiled'), // shared, so that each file is compiled once
  NODE_OPTIONS,
  ...(PLANTED_BUG && { PLANTED_BUG }),
};

/** For cli/main.js, which sets flags of V8: code that was compiled with other flags is rejected and replaced. */
export const programEnvironment = { NODE_COMPILE_CACHE: cache('compiled-program') };

/** For compilers in Go, such as tsc: one thread does less work twice, and less garbage collection costs only memory. */
export const compilerSettings = { GOMAXPROCS: '1', GOGC: '400' };
export const compilerEnvironment = { ...process.env, ...compilerSettings };
