import { getHealth, getReady } from '#contract/operations.ts';
import { errorCode } from '#lib/error-code.ts';
import { failureReason } from './finding.ts';

/** The result of probing an address: one of our services, another program, or no answer. */
export type ServiceProbe = { url: string } & (
  | {
      kind: 'ours';
      version: string;
      date: number | undefined;
      /** why it is not ready; undefined if a proxy hides the health routes */
      reasons: readonly string[] | undefined;
    }
  | { kind: 'other' }
  | { kind: 'none'; why: string }
);

const timeoutMs = 2500;
const cloudTitle = 'Ohmstead cloud'; // title of its OpenAPI document

/** Probes a service on this machine by its health routes. */
export async function probeService(url: string): Promise<ServiceProbe> {
  const signal = AbortSignal.timeout(timeoutMs);
  return catchFailure(url, async () => {
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

/** Probes a platform. Behind a proxy that hides the health routes, uses the public OpenAPI document. */
export async function probePlatform(url: string): Promise<ServiceProbe> {
  const answer = await probeService(url);
  if (answer.kind !== 'other') return answer;
  const signal = AbortSignal.timeout(timeoutMs);
  return catchFailure(url, async () => {
    const document = await fetch(address(url, '/openapi.json'), { signal });
    if (document.status >= 500) return { url, kind: 'none', why: `its proxy returns status ${document.status}` };
    const { title, version } = fieldsOf((await readJson(document)).info);
    if (title !== cloudTitle || typeof version !== 'string') return { url, kind: 'other' };
    return { url, kind: 'ours', version, date: dateOf(document), reasons: undefined };
  });
}

async function catchFailure(url: string, ask: () => Promise<ServiceProbe>): Promise<ServiceProbe> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof Error ? errorCode(error.cause) : undefined;
    const isNoHttp = String(code).startsWith('HPE_'); // error codes of the HTTP parser
    return isNoHttp ? { url, kind: 'other' } : { url, kind: 'none', why: failureReason(error) };
  }
}

const address = (url: string, path: string): string => `${url.replace(/\/$/, '')}${path}`;

function dateOf({ headers }: Response): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

const readJson = async (answer: Response): Promise<Record<string, unknown>> =>
  fieldsOf(await answer.json().catch(() => undefined));

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' ? { ...value } : {});
