#!/usr/bin/env node
// No types here: what Node strips them with takes 17 MB, and stays. The other files come from the cache without them.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { compileCacheFolder } from './compile-cache.js';
import { isNodeTooOld, runOnOwnNode } from './own-node.js';

if (isNodeTooOld) runOnOwnNode(fileURLToPath(import.meta.url));
else {
  setFlagsFromString('--semi-space-growth-factor=1'); // as while loading: the cache keeps apart what has other flags
  // Half of a start is spent on compiling. Threads read the variable.
  const folder = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder();
  if (folder) {
    process.env.NODE_COMPILE_CACHE = folder;
    module.enableCompileCache(folder);
  }

  // A clone has the source, a package what was made of it. Not before the cache is there to take it.
  const isClone = existsSync(new URL('./run.ts', import.meta.url));
  await import(isClone ? './run.ts' : '../dist/cli/run.js');
}
