import { Problem } from '../problem.ts';
import type { Route } from '../route.ts';
import { unreachable } from './answer-problem.ts';
import type { Ask } from './ask.ts';
import { createEventParser, type ServerEvent } from './event-parser.ts';
import type { Sent } from './request.ts';

export type EventConnection = {
  /** What the server sends, read as fast as it is taken. Ends when the server closes; throws a Problem when it breaks off. */
  events: AsyncGenerator<ServerEvent>;
  /** how long the server asks to wait before coming back, once it said so */
  retryMs(): number | undefined;
};

/** One answer of server-sent events. It is given up when nothing, not even a comment, is heard for so long. */
export async function openEvents(
  ask: Ask,
  route: Route,
  { signal, silenceMs, ...request }: Sent & { signal: AbortSignal; silenceMs: number },
): Promise<EventConnection> {
  const cut = new AbortController();
  const parser = createEventParser();

  async function hearing<Heard>(step: () => Promise<Heard>): Promise<Heard> {
    const silence = setTimeout(() => cut.abort(silent(silenceMs)), silenceMs);
    return step().finally(() => clearTimeout(silence));
  }

  const answer = await hearing(() => ask(route, { ...request, signal: AbortSignal.any([signal, cut.signal]) }));
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();

  async function* events(): AsyncGenerator<ServerEvent> {
    try {
      for (;;) {
        const { done, value } = await hearing(() => reader.read());
        if (done) return;
        yield* parser.push(decoder.decode(value, { stream: true }));
      }
    } catch (error) {
      throw signal.aborted ? error : unreachable(answer.url, error);
    } finally {
      cut.abort();
    }
  }

  return { events: events(), retryMs: () => parser.retryMs };
}

const silent = (ms: number): Problem =>
  new Problem('unavailable', `Nothing was heard from the platform for ${ms / 1000} s.`);
