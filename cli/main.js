#!/usr/bin/env node
// JavaScript, not TypeScript: the type stripper of Node takes 17 MB of memory and keeps it. The other files come from the compile cache.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { compileCacheFolder } from './compile-cache.js';
import { isNodeTooOld, runOnOwnNode } from './own-node.js';

if (isNodeTooOld) runOnOwnNode(fileURLToPath(import.meta.url));
else {
  // Nearly everything that loading allocates stays, so V8 need not make room for garbage: 14 MB less. See lib/heap.ts.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Compiling takes half of the start-up time. Worker threads read the variable.
  const folder = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder();
  if (folder) {
    process.env.NODE_COMPILE_CACHE = folder;
    module.enableCompileCache(folder);
  }

  // A clone runs the source, an installed package the compiled code. Imported only once the cache is enabled.
  const isClone = existsSync(new URL('./run.ts', import.meta.url));
  await import(isClone ? './run.ts' : '../dist/cli/run.js');
}
