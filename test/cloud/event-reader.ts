import { setTimeout as sleep } from 'node:timers/promises';

export type StreamEvent = { event: string; id: string | undefined; data: Record<string, unknown> };

/** A client of an event stream, like a browser. */
export async function readEvents(url: string, headers: Record<string, string>) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events: StreamEvent[] = [];
  const state = { isEnded: false };
  const reading = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) events.push(event);
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      state.isEnded = true;
    });

  const reached = async (list: () => StreamEvent[], count: number): Promise<StreamEvent[]> => {
    for (let tries = 0; list().length < count && tries < 2000; tries++) await sleep(10);
    return list().slice(0, count);
  };

  return {
    response,
    events,
    isEnded: () => state.isEnded,
    /** Waits until that many events were received. */
    take: (count: number) => reached(() => events, count),
    /** The same for readings only: named events (a gateway came online, a device was heard) arrive at any time. */
    readings: (count: number) => reached(() => events.filter(({ event }) => event === 'message'), count),
    async ended(): Promise<void> {
      for (let tries = 0; !state.isEnded && tries < 700; tries++) await sleep(10);
    },
    async close(): Promise<void> {
      abort.abort();
      await reading;
    },
  };
}

function parseEvent(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const at = line.indexOf(': ');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) };
}
