import { dayMs, minuteMs } from '#contract/time.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { SourceError } from './source.ts';

export type Fetch = typeof globalThis.fetch;

type Answer = { status: number; text: string; isSimulated: boolean };

export type Upstream = { get(url: URL, signal: AbortSignal, headers?: Record<string, string>): Promise<Answer> };

type CachedResponse = { answer: Answer; validators: Record<string, string> };

const defaultTimeoutMs = 10_000;
const maxBytes = 5_000_000;
const maxCached = 64;
const maxCachedLength = 100_000;
const banMs = 10 * minuteMs; // the ban of the ENTSO-E platform, when the response has no Retry-After

// Node loads its fetch when the property is first read.
const systemFetch: Fetch = (url, options) => globalThis.fetch(url, options);

/** Sends requests with limits on time and size, without redirects, and revalidates cached responses. */
export function createUpstream(fetch: Fetch = systemFetch, timeoutMs = defaultTimeoutMs): Upstream {
  const kept = new RecentMap<CachedResponse>(maxCached);

  return {
    async get(url, outerSignal, headers) {
      const signal = AbortSignal.any([outerSignal, AbortSignal.timeout(timeoutMs)]);
      const known = kept.get(url.href);
      const response = await fetch(url, {
        headers: { accept: 'application/json, application/xml, text/xml', ...headers, ...known?.validators },
        redirect: 'error',
        signal,
      }).catch((error: unknown) => {
        throw fetchError(error);
      });
      if (known && response.status === 304) return known.answer;
      const answer = {
        status: response.status,
        text: await readText(response),
        isSimulated: response.headers.has('simulated-market'),
      };
      throwOnErrorStatus(response);
      const validators = validatorsOf(response.headers);
      kept.delete(url.href);
      if (Object.keys(validators).length > 0 && response.ok && answer.text.length <= maxCachedLength) {
        kept.set(url.href, { answer, validators });
      }
      return answer;
    },
  };
}

function throwOnErrorStatus({ status, headers }: Response): void {
  if (status === 401 || status === 403) throw new SourceError('refused', `The response status was ${status}.`);
  if (status === 429) throw new SourceError('limited', 'The response status was 429.', retryAfterMs(headers));
  if (status >= 500 || status === 304 || status === 408)
    throw new SourceError('unreachable', `The response status was ${status}.`);
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1000, dayMs) : banMs;
}

function validatorsOf(headers: Headers): Record<string, string> {
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

/** Reads a body; the size limit applies after decompression. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new SourceError('malformed', 'The response is too large.'); // leaving the loop cancels the transfer
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new SourceError('malformed', 'The response is not UTF-8.');
    throw fetchError(error);
  }
}

/** Keeps only the error code: the message of a failed fetch may contain the address. */
function fetchError(error: unknown): SourceError {
  const { name, cause } = error instanceof Error ? error : new Error();
  if (name === 'TimeoutError') return new SourceError('silent', 'The request timed out.');
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : name;
  return new SourceError('unreachable', `The request failed (${code}).`);
}
