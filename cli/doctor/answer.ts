import { getHealth, getReady } from '#contract/operations.ts';
import { failureWords } from './failure-words.ts';

/** What is at an address: one of our services, something else, or nothing that answers. */
export type Answer = { url: string } & (
  | { kind: 'ours'; version: string; date: number | undefined; reasons: readonly string[] }
  | { kind: 'other' }
  | { kind: 'none'; why: string }
);

const patienceMs = 2500;

export async function askService(url: string): Promise<Answer> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const health = await fetch(address(url, getHealth.path), { signal });
    const body = await readJson(health);
    if (body.status !== 'healthy' || typeof body.version !== 'string') return { url, kind: 'other' };
    const date = Date.parse(health.headers.get('date') ?? '');
    const { reasons } = await readJson(await fetch(address(url, getReady.path), { signal }));
    return {
      url,
      kind: 'ours',
      version: body.version,
      date: Number.isNaN(date) ? undefined : date,
      reasons: Array.isArray(reasons) ? reasons.map(String) : [],
    };
  } catch (error) {
    const { cause } = error as Error & { cause?: { code?: string } };
    const isNoHttp = cause?.code?.startsWith('HPE_') ?? false; // what the parser of HTTP says
    return isNoHttp ? { url, kind: 'other' } : { url, kind: 'none', why: failureWords(error) };
  }
}

const address = (url: string, path: string): string => `${url.replace(/\/$/, '')}${path}`;

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
