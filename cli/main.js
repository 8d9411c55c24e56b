#!/usr/bin/env node
// No types here: what Node strips them with takes 17 MB, and stays. The other files come from the cache without them.
import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from './compile-cache.js';

// Half of a start is spent on compiling. Threads read the variable.
const folder = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder();
if (folder) {
  process.env.NODE_COMPILE_CACHE = folder;
  enableCompileCache(folder);
}

await import('./run.ts'); // not before the cache is there to take it
