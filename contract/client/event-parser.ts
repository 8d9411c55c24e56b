import { Problem } from '../problem.ts';

/** One server-sent event. */
export type ServerEvent = { name: string; id: string | undefined; data: string };

export type EventParser = {
  /** The events that end in this piece of text, which may begin and end anywhere. */
  push(text: string): ServerEvent[];
  /** what the server last said about coming back */
  readonly retryMs: number | undefined;
};

const mostCharacters = 4 * 1024 * 1024; // a server whose event never ends is not waited for

/** The text of an event stream, as the HTML standard reads it. */
export function createEventParser(): EventParser {
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
    push(text) {
      const isRestOfCrLf = endedInReturn && text.startsWith('\n');
      if (text !== '') endedInReturn = text.endsWith('\r');
      const [first = '', ...others] = (isRestOfCrLf ? text.slice(1) : text).split(/\r\n|\r|\n/);
      const lines = [line + first, ...others];
      line = lines.pop()!;
      size += text.length;
      const events = lines.map(endLine).filter((ended) => ended !== undefined);
      if (size > mostCharacters) throw new Problem('unavailable', 'The stream sent an event that does not end.');
      return events;
    },
    get retryMs() {
      return retryMs;
    },
  };
}
