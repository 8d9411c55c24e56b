import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export function formatEvent(data: string, { event, id }: { event?: string; id?: string } = {}): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`); // each of these ends a line in SSE
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

/** Events that are sent in one write, encoded once for all their receivers. */
export class EventBatch {
  readonly events: readonly string[];
  #chunk: Buffer | undefined;

  constructor(events: readonly string[]) {
    this.events = events;
  }

  get text(): string {
    return this.events.join('');
  }

  /** A chunk of an HTTP answer (RFC 9112, 7.1). */
  get chunk(): Buffer {
    if (!this.#chunk) {
      const { text } = this;
      this.#chunk = Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    }
    return this.#chunk;
  }
}

export type EventStream = {
  /** Sends formatted events. Closes a reader whose buffer is full. */
  send(events: string | EventBatch): void;
  /** Sends many events as fast as they are read. Closes a reader that stops reading. Send nothing else until it resolves. */
  sendAll(events: readonly string[]): Promise<void>;
  /** Sends a last event, then closes the stream. */
  end(lastEvent?: string): void;
  readonly isOpen: boolean;
  onClose(listener: () => void): void;
};

const maxWaiting = { writes: 256, bytes: 1024 * 1024 };
const batchLength = 64 * 1024;
const stalledMs = 30_000;
const retryMs = 3000;

/** Opens a response as an event stream. A response to HEAD ends at once. */
export function openEventStream(response: ServerResponse, headers: Record<string, string> = {}): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: ${retryMs}\n\n`);
  // A stream lasts for hours; drop the headers of its request, which include a token.
  response.req.headers = {};
  response.req.rawHeaders = [];
  const { socket } = response;
  socket?.setNoDelay(true);
  socket?.setTimeout(0);
  // Chunks that are made once for all readers go past the answer, which would make them again for each.
  const isChunked = response.chunkedEncoding && socket instanceof Socket;
  const wire = isChunked ? socket : response;

  let isOpen = response.req.method !== 'HEAD' && !response.closed; // the client may disconnect during authorization
  let waitingWrites = 0;
  const listeners: (() => void)[] = [];
  const stopHeartbeat = isOpen ? startHeartbeat(() => send(heartbeat)) : () => {};

  response.on('close', () => {
    isOpen = false;
    wire.off('drain', drained);
    stopHeartbeat();
    for (const listener of listeners) listener();
  });
  wire.on('drain', drained);
  if (!isOpen) response.end();

  function drained(): void {
    waitingWrites = 0;
  }

  function send(events: string | EventBatch): void {
    if (!isOpen) return;
    const batch = typeof events === 'string' ? new EventBatch([events]) : events;
    if (wire.write(isChunked ? batch.chunk : batch.text)) return;
    waitingWrites++;
    if (waitingWrites > maxWaiting.writes || wire.writableLength > maxWaiting.bytes) response.destroy();
  }

  /** Resolves when the write buffer is empty or the reader is gone. */
  function taken(): Promise<void> {
    if (!isOpen || !wire.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const timeout = setTimeout(() => response.destroy(), stalledMs);
      const go = (): void => {
        clearTimeout(timeout);
        wire.off('drain', go);
        response.off('close', go);
        resolve();
      };
      wire.on('drain', go);
      response.on('close', go);
    });
  }

  return {
    send,
    async sendAll(events) {
      for (const batch of batchesOf(events)) {
        send(batch);
        await taken();
      }
    },
    end(lastEvent = '') {
      if (!isOpen) return;
      isOpen = false;
      response.end(lastEvent);
    },
    get isOpen() {
      return isOpen;
    },
    onClose(listener) {
      if (response.closed) listener();
      else listeners.push(listener);
    },
  };
}

/** Groups events into batches of about 64 kB. */
function* batchesOf(events: readonly string[]): Generator<EventBatch> {
  let begin = 0;
  let length = 0;
  for (const [index, event] of events.entries()) {
    length += event.length;
    if (length < batchLength) continue;
    yield new EventBatch(events.slice(begin, index + 1));
    begin = index + 1;
    length = 0;
  }
  if (begin < events.length) yield new EventBatch(events.slice(begin));
}

const heartbeat = new EventBatch([': \n\n']);
const heartbeatMs = 15_000;
const groupCount = 60;
const groups = new Map<number, Set<() => void>>();
let currentGroup = 0;
let timer: NodeJS.Timeout | undefined;

/** Calls back every 15 s, so that proxies and readers keep the stream open. Streams are spread over 60 groups. */
function startHeartbeat(beat: () => void): () => void {
  const index = currentGroup;
  const group = groups.get(index) ?? new Set();
  groups.set(index, group.add(beat));
  timer ??= setInterval(() => {
    currentGroup = (currentGroup + 1) % groupCount;
    for (const each of groups.get(currentGroup) ?? []) each();
  }, heartbeatMs / groupCount).unref();
  return () => {
    group.delete(beat);
    if (group.size === 0 && groups.get(index) === group) groups.delete(index);
    if (groups.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
