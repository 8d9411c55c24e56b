import { getHealth, getReady } from '#contract/operations.ts';
import { failureWords } from './failure-words.ts';

/** What is at an address: one of our services, something else, or nothing that answers. */
export type Answer = { url: string } & (
  | {
      kind: 'ours';
      version: string;
      date: number | undefined;
      /** why it is not ready; not known where a proxy keeps it inside */
      reasons: readonly string[] | undefined;
    }
  | { kind: 'other' }
  | { kind: 'none'; why: string }
);

const patienceMs = 2500;
const cloudTitle = 'Ohmstead cloud'; // of its OpenAPI document

/** By what is for the inside: a service on this machine. */
export async function askService(url: string): Promise<Answer> {
  const signal = AbortSignal.timeout(patienceMs);
  return answerOf(url, async () => {
    const health = await fetch(address(url, getHealth.path), { signal });
    const body = await readJson(health);
    if (body.status !== 'healthy' || typeof body.version !== 'string') return { url, kind: 'other' };
    const { reasons } = await readJson(await fetch(address(url, getReady.path), { signal }));
    return {
      url,
      kind: 'ours',
      version: body.version,
      date: dateOf(health),
      reasons: Array.isArray(reasons) ? reasons.map(String) : [],
    };
  });
}

/** A platform that may be behind a proxy, which keeps inside what would tell its health: then by what everybody may read. */
export async function askPlatform(url: string): Promise<Answer> {
  const answer = await askService(url);
  if (answer.kind !== 'other') return answer;
  const signal = AbortSignal.timeout(patienceMs);
  return answerOf(url, async () => {
    const document = await fetch(address(url, '/openapi.json'), { signal });
    if (document.status >= 500) return { url, kind: 'none', why: `its proxy answers with status ${document.status}` };
    const { info } = (await readJson(document)) as { info?: { title?: unknown; version?: unknown } };
    if (info?.title !== cloudTitle || typeof info.version !== 'string') return { url, kind: 'other' };
    return { url, kind: 'ours', version: info.version, date: dateOf(document), reasons: undefined };
  });
}

async function answerOf(url: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const { cause } = error as Error & { cause?: { code?: string } };
    const isNoHttp = cause?.code?.startsWith('HPE_') ?? false; // what the parser of HTTP says
    return isNoHttp ? { url, kind: 'other' } : { url, kind: 'none', why: failureWords(error) };
  }
}

const address = (url: string, path: string): string => `${url.replace(/\/$/, '')}${path}`;

function dateOf({ headers }: Response): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
