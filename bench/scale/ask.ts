import { awake } from '../measure/awake.ts';
import { load } from '../measure/load.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import type { Cost } from './curve.ts';

type Questions = { paths: readonly string[]; token?: string; amount?: number };

/** Requests these paths one after the other. */
export function asker(server: ServerProcess, { paths, token, amount = 500 }: Questions): () => Promise<Cost> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const requests = paths.map((path) => ({ method: 'GET', path, headers }));
  return async () => {
    const { cpuUs, waitMs } = await awake(() => load(server, requests, { amount, connections: 1 }));
    return { cpuUs, wallMs: waitMs };
  };
}
