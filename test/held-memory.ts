import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use by this process after garbage collection. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc'); // the compile cache rejects code of other flags
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
