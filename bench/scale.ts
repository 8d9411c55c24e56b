import { cells } from './cells.ts';
import type { Finding } from './measure/finding.ts';
import { openStreams } from './scale/open-streams.ts';
import { readingsKept } from './scale/readings-kept.ts';
import { registrySize } from './scale/registry-size.ts';

/** Measures the cost of operations with ten and a hundred times the data. */
export async function scale(): Promise<Finding[]> {
  return [...(await registrySize()), ...(await readingsKept()), ...(await cells()), ...(await openStreams())];
}
