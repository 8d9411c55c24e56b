import { request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FuzzAnswer, FuzzRequest, FuzzService } from './service.ts';

export type Send = (service: FuzzService, request: FuzzRequest) => Promise<FuzzAnswer>;

const patienceMs = 10_000; // a request that takes longer never ends

const isStream = (headers: Record<string, unknown>): boolean =>
  String(headers['content-type']).startsWith('text/event-stream');

function headersOf(service: FuzzService, { as, headers }: FuzzRequest): Record<string, string> {
  const authorization = service.credentials()[as];
  return authorization ? { authorization, ...headers } : headers;
}

/** Through the whole server, without a socket. */
export const inject: Send = async (service, request) => {
  const began = performance.now();
  const reply = await ended(
    service.appOf(request.url).inject({
      method: request.method as 'GET',
      url: request.url,
      headers: headersOf(service, request),
      payloadAsStream: true,
      ...(request.body && { payload: request.body }),
    }),
  );
  const stream = reply.stream();
  const body = isStream(reply.headers) ? '' : await ended(text(stream));
  stream.destroy();
  return { status: reply.statusCode, headers: reply.headers, body, tookMs: performance.now() - began };
};

/** Over a socket, like a stranger: the address is sent as it is. */
export const overWire: Send = (service, request) => {
  const began = performance.now();
  const { body = Buffer.alloc(0), method, url } = request;
  const answered = new Promise<FuzzAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = { ...headersOf(service, request), ...(body.length > 0 && { 'content-length': body.length }) };
    const sent = openRequest({ hostname, port, method, path: url, headers, agent: false }, (response) => {
      const answer = (said: string): void => {
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: said,
          tookMs: performance.now() - began,
        });
        sent.destroy();
      };
      if (isStream(response.headers)) answer('');
      else text(response).then(answer, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
  return ended(answered);
};

async function ended<T>(work: Promise<T>): Promise<T> {
  let impatience: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    impatience = setTimeout(() => reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(impatience);
  }
}
