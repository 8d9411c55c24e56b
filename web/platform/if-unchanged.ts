import { createSender } from '#contract/client/send.ts';
import type { ReplyOf, RequestOf, Route } from '#contract/route.ts';
import { texts } from '../parts/text.ts';
import { explaining } from './explain.ts';
import { api } from './session.ts';

const t = texts({
  precondition_failed:
    'This was changed elsewhere after you opened the page. Your entries are still here: copy what you need, then reload the page.',
});

/** A resource, and what names its state, so that a change does not overwrite another one. */
export type Stored<Resource> = Resource & { etag: string };

function send(...request: Parameters<ReturnType<typeof createSender>>): Promise<Response> {
  const platform = api();
  return createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) })(...request);
}

type Params = { params: Record<string, string> };

export async function loadStored<R extends Route>(
  route: R,
  request: Params & { signal: AbortSignal },
): Promise<Stored<ReplyOf<R>>> {
  const answer = await send(route, request);
  const resource: ReplyOf<R> = await answer.json();
  return { ...resource, etag: answer.headers.get('etag') ?? '*' };
}

/** Sends a change, unless the resource was changed since it was loaded. */
export async function storeIfUnchanged<R extends Route>(
  route: R,
  { etag, ...request }: Params & Pick<RequestOf<R>, 'body'> & { etag: string },
): Promise<void> {
  await explaining(send(route, { ...request, headers: { 'if-match': etag } }), t);
}
