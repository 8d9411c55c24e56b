import { createRandom } from '#gateway/p1/testing/fuzz-damage.ts';
import { codeIn, createJudge } from './judge.ts';
import { createRequests } from './requests.ts';
import { inject, overWire, type Send } from './send.ts';
import type { FuzzAnswer, FuzzRequest, FuzzService } from './service.ts';

export type Fuzzed = {
  requests: number;
  byStatus: Record<number, number>;
  /** answers of 500 and more, by status, code and operation */
  failures: Record<string, number>;
  /** in words, with the request in a form that can be stored and sent again */
  wrong: string[];
};

export type Watch = (request: FuzzRequest, answer: FuzzAnswer) => string | undefined;

type Options = { seed: number; requests: number; wireShare?: number; watch?: Watch };

const longestMs = 2000;
const renewedEvery = 500;
const mostHeapMb = 600;

/** Sends that many requests to a service. Every answer must arrive soon and match the OpenAPI document, and none may be 5xx. */
export async function fuzzRequests(
  service: FuzzService,
  { seed, requests, wireShare = 0.1, watch = () => undefined }: Options,
): Promise<Fuzzed> {
  const random = createRandom(seed);
  const next = createRequests(service, random);
  const judge = createJudge(service.document);
  const fuzzed: Fuzzed = { requests, byStatus: {}, failures: {}, wrong: [] };
  for (let done = 0; done < requests; done++) {
    if (done > 0 && done % renewedEvery === 0) await service.renew();
    const request = next();
    const isOnWire = random.below(1000) < wireShare * 1000 && service.appOf(request.url) === service.appOf('/');
    const { fault, status } = await tryRequest(service, request, isOnWire ? overWire : inject, (answer) => {
      if (answer.status >= 500) count(fuzzed.failures, failureOf(request, answer));
      return judge(request, answer) ?? watch(request, answer);
    });
    count(fuzzed.byStatus, status);
    if (status < 300 && request.method === 'DELETE' && request.url.startsWith('/identity/sign-ins'))
      await service.renew();
    if (fault) fuzzed.wrong.push(`${fault}: ${JSON.stringify(keptForm(service, request))}`);
  }
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  if (heapMb > mostHeapMb) fuzzed.wrong.push(`${heapMb.toFixed(0)} MB of heap`);
  return fuzzed;
}

const failureOf = ({ operation = 'an odd request' }: FuzzRequest, answer: FuzzAnswer): string =>
  `${answer.status} ${codeIn(answer)} of ${operation}`;

function count<Key extends PropertyKey>(counts: Record<Key, number>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

type Tried = { status: number; fault: string | undefined };

/** A slow request is sent again: a pause of the machine does not repeat, a slow path does. */
export async function tryRequest(
  service: FuzzService,
  request: FuzzRequest,
  send: Send,
  judge: (answer: FuzzAnswer) => string | undefined,
): Promise<Tried> {
  try {
    let answer = await send(service, request);
    const { status } = answer;
    const fault =
      request.method === 'HEAD' && status >= 500 ? await whyItFails(service, request, send, judge) : judge(answer);
    for (let again = 0; again < 2 && answer.tookMs > longestMs; again++) answer = await send(service, request);
    const isSlow = answer.tookMs > longestMs;
    return {
      status,
      fault: fault ? `${status}, ${fault}` : isSlow ? `took ${answer.tookMs.toFixed(0)} ms` : undefined,
    };
  } catch (error) {
    return { status: 0, fault: `no answer, ${String(error)}` };
  }
}

/** A HEAD has no body to check; the GET of the same address has. */
async function whyItFails(
  service: FuzzService,
  request: FuzzRequest,
  send: Send,
  judge: (answer: FuzzAnswer) => string | undefined,
): Promise<string | undefined> {
  const answer = await send(service, { ...request, method: 'GET' });
  return answer.status >= 500 ? judge(answer) : `though GET is answered with ${answer.status}`;
}

/** A request as in test/fuzz/found: ids by name, the body in base64. */
export type KeptRequest = Omit<FuzzRequest, 'body'> & { service: string; body?: string };

export function keptForm(service: FuzzService, { body, ...request }: FuzzRequest): KeptRequest {
  const named = (text: string): string =>
    Object.entries(service.names()).reduce((all, [name, id]) => all.replaceAll(id, `<${name}>`), text);
  return {
    service: service.name,
    ...request,
    url: named(request.url),
    ...(body && { body: Buffer.from(named(body.toString('latin1')), 'latin1').toString('base64') }),
  };
}

export function requestOf(service: FuzzService, { body, service: _, ...kept }: KeptRequest): FuzzRequest {
  const filled = (text: string): string =>
    Object.entries(service.names()).reduce((all, [name, id]) => all.replaceAll(`<${name}>`, id), text);
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64').toString('latin1');
  return {
    ...kept,
    url: filled(kept.url),
    body: bytes === undefined ? undefined : Buffer.from(filled(bytes), 'latin1'),
  };
}
