import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Compiled code for the programs that are killed here, as they have it from their second start on. */
export const compileCache = join(tmpdir(), 'ohmstead-faults-cache');
mkdirSync(compileCache, { recursive: true });
