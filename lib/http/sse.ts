import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** One server-sent event, written once and sent to many. */
export function formatEvent(data: string, { event, id }: { event?: string; id?: string } = {}): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`); // each of them ends a line of the stream
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

/** Events that leave in one write, put into bytes once for all who get them. */
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
  /** Sends formatted events. A reader that does not read is closed when too much waits for it. */
  send(events: string | EventBatch): void;
  /** Sends many, as fast as they are read; until it resolves nothing else is sent. A reader that stops reading is closed. */
  sendAll(events: readonly string[]): Promise<void>;
  /** Sends what must still be told, then closes. */
  end(lastEvent?: string): void;
  readonly isOpen: boolean;
  onClose(listener: () => void): void;
};

const mostWaiting = { writes: 256, bytes: 1024 * 1024 };
const atOnceLength = 64 * 1024;
const patienceMs = 30_000;
const retryMs = 3000;

/** Opens the answer of a request as an event stream. To HEAD it is over before it begins. */
export function openEventStream(response: ServerResponse, headers: Record<string, string> = {}): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: ${retryMs}\n\n`);
  // A stream lives for hours; what was asked for, and with which token, need not.
  response.req.headers = {};
  response.req.rawHeaders = [];
  const { socket } = response;
  socket?.setNoDelay(true);
  socket?.setTimeout(0);
  // Chunks that are made once for all readers go past the answer, which would make them again for each.
  const isChunked = response.chunkedEncoding && socket instanceof Socket;
  const wire = isChunked ? socket : response;

  let isOpen = response.req.method !== 'HEAD' && !response.closed; // a reader may leave while it is let in
  let waitingWrites = 0;
  const listeners: (() => void)[] = [];
  const stopPulse = isOpen ? pulse(() => send(heartbeat)) : () => {};

  response.on('close', () => {
    isOpen = false;
    wire.off('drain', drained);
    stopPulse();
    for (const listener of listeners) listener();
  });
  wire.on('drain', drained);
  if (!isOpen) response.end();

  function drained(): void {
    waitingWrites = 0;
  }

  function send(events: string | EventBatch): void {
    if (!isOpen) return;
    const parcel = typeof events === 'string' ? new EventBatch([events]) : events;
    if (wire.write(isChunked ? parcel.chunk : parcel.text)) return;
    waitingWrites++;
    if (waitingWrites > mostWaiting.writes || wire.writableLength > mostWaiting.bytes) response.destroy();
  }

  /** Resolves when the reader has taken what was sent, or is gone. */
  function taken(): Promise<void> {
    if (!isOpen || !wire.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const impatience = setTimeout(() => response.destroy(), patienceMs);
      const go = (): void => {
        clearTimeout(impatience);
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
      for (const parcel of parcelsOf(events)) {
        send(parcel);
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

/** Parcels of a size that is worth a write. */
function* parcelsOf(events: readonly string[]): Generator<EventBatch> {
  let begin = 0;
  let length = 0;
  for (const [index, event] of events.entries()) {
    length += event.length;
    if (length < atOnceLength) continue;
    yield new EventBatch(events.slice(begin, index + 1));
    begin = index + 1;
    length = 0;
  }
  if (begin < events.length) yield new EventBatch(events.slice(begin));
}

const heartbeat = new EventBatch([': \n\n']);
const pulseMs = 15_000;
const turns = Array.from({ length: 60 }, () => new Set<() => void>());
let turn = 0;
let pulsing = 0;
let heart: NodeJS.Timeout | undefined;

/** Beats every 15 s, so that proxies and readers know that a stream lives. Streams take turns: all at once would hold up the rest. */
function pulse(beat: () => void): () => void {
  const own = turns[turn]!.add(beat);
  pulsing++;
  heart ??= setInterval(() => {
    turn = (turn + 1) % turns.length;
    for (const each of turns[turn]!) each();
  }, pulseMs / turns.length).unref();
  return () => {
    own.delete(beat);
    pulsing--;
    if (pulsing > 0) return;
    clearInterval(heart);
    heart = undefined;
  };
}
