import { Problem } from '../problem.ts';
import type { Route } from '../route.ts';
import type { OutgoingRequest } from './request.ts';
import type { SendRequest } from './send.ts';
import { connectionProblem } from './send.ts';

export type EventConnection = Awaited<ReturnType<typeof openEvents>>;

/** Opens a stream of server-sent events. Aborts when nothing, not even a comment, arrives for `silenceMs`. */
export async function openEvents(
  ask: SendRequest,
  route: Route,
  { signal, silenceMs, ...request }: OutgoingRequest & { signal: AbortSignal; silenceMs: number },
) {
  const cut = new AbortController();
  const parser = createEventParser();

  async function withSilenceTimeout<Heard>(step: () => Promise<Heard>): Promise<Heard> {
    const silence = setTimeout(() => cut.abort(silent(silenceMs)), silenceMs);
    return step().finally(() => clearTimeout(silence));
  }

  const answer = await withSilenceTimeout(() =>
    ask(route, { ...request, signal: AbortSignal.any([signal, cut.signal]) }),
  );
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();

  /** Yields events as they are consumed. Ends when the server closes; throws a Problem when the connection breaks. */
  async function* events(): AsyncGenerator<ServerEvent> {
    try {
      for (;;) {
        const { done, value } = await withSilenceTimeout(() => reader.read());
        if (done) return;
        yield* parser.push(decoder.decode(value, { stream: true }));
      }
    } catch (error) {
      throw signal.aborted ? error : connectionProblem(answer.url, error);
    } finally {
      cut.abort();
    }
  }

  return { events: events(), retryMs: parser.retryMs };
}

const silent = (ms: number): Problem => new Problem('unavailable', `The platform sent nothing for ${ms / 1000} s.`);

export type ServerEvent = { name: string; id: string | undefined; data: string };

const maxEventLength = 4 * 1024 * 1024; // limits an event that never ends

/** Parses an event stream as the HTML standard defines it. */
export function createEventParser() {
  let line = '';
  let endedInReturn = false;
  let event: ServerEvent = { name: '', id: undefined, data: '' };
  let size = 0;
  let retryMs: number | undefined;

  function take(field: string, value: string): void {
    if (field === 'data') event.data += `${value}\n`;
    else if (field === 'event') event.name = value;
    else if (field === 'id' && !value.includes('\0')) event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }

  function endLine(text: string): ServerEvent | undefined {
    if (text !== '') {
      const colon = text.indexOf(':');
      if (colon < 0) take(text, '');
      else if (colon > 0) take(text.slice(0, colon), text.slice(colon + 1).replace(/^ /, ''));
      return undefined;
    }
    const ended = event;
    event = { name: '', id: undefined, data: '' };
    size = 0;
    return ended.data === '' ? undefined : { ...ended, data: ended.data.slice(0, -1) };
  }

  return {
    /** Returns the events completed by this chunk, which may begin and end anywhere. */
    push(text: string): ServerEvent[] {
      const isRestOfCrLf = endedInReturn && text.startsWith('\n');
      if (text !== '') endedInReturn = text.endsWith('\r');
      const [first = '', ...others] = (isRestOfCrLf ? text.slice(1) : text).split(/\r\n|\r|\n/);
      const lines = [line + first, ...others];
      line = lines.pop()!;
      size += text.length;
      const events = lines.map(endLine).filter((ended) => ended !== undefined);
      if (size > maxEventLength) throw new Problem('unavailable', 'The stream sent an event that does not end.');
      return events;
    },
    /** Returns the last reconnection delay that the server asked for. */
    retryMs: (): number | undefined => retryMs,
  };
}
