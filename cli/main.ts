#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from './compile-cache.ts';
import { keepYoungHeapSmall } from './young-heap.ts';

// Half of a start is spent on compiling. Threads read the variable.
const folder = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder();
if (folder) {
  process.env.NODE_COMPILE_CACHE = folder;
  enableCompileCache(folder);
}
keepYoungHeapSmall();

await import('./run.ts'); // not before the cache is there to take it
