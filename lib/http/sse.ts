import type { ServerResponse } from 'node:http';

/** One server-sent event, written once and sent to many. */
export function formatEvent(data: string, { event, id }: { event?: string; id?: string } = {}): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

export type EventStream = {
  /** Sends a formatted event. A reader that does not read is closed when too much waits for it. */
  send(event: string): void;
  /** Sends many, as fast as they are read; until it resolves nothing else is sent. A reader that stops reading is closed. */
  sendAll(events: readonly string[]): Promise<void>;
  /** Sends what must still be told, then closes. */
  end(lastEvent?: string): void;
  readonly isOpen: boolean;
  onClose(listener: () => void): void;
};

const mostWaiting = { events: 256, bytes: 1024 * 1024 };
const atOnceBytes = 64 * 1024;
const patienceMs = 30_000;
const retryMs = 3000;
const pulseMs = 15_000;

const streams = new Set<{ pulse(): void }>();
let heart: NodeJS.Timeout | undefined;

/** Opens the answer of a request as an event stream. */
export function openEventStream(response: ServerResponse, headers: Record<string, string> = {}): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: ${retryMs}\n\n`);
  response.socket?.setNoDelay(true);
  response.socket?.setTimeout(0);

  let isOpen = true;
  let waitingEvents = 0;
  let gathered = '';
  const listeners: (() => void)[] = [];
  const member = { pulse: () => write(': \n\n') };
  join(member);

  response.on('close', () => {
    isOpen = false;
    leave(member);
    for (const listener of listeners) listener();
  });
  response.on('drain', () => {
    waitingEvents = 0;
  });

  function write(text: string): void {
    if (!isOpen) return;
    if (gathered === '') queueMicrotask(flush);
    gathered += text;
  }

  // Events of one turn leave in one write.
  function flush(): void {
    const text = gathered;
    gathered = '';
    if (!isOpen || text === '') return;
    if (response.write(text)) return;
    waitingEvents++;
    if (waitingEvents > mostWaiting.events || response.writableLength > mostWaiting.bytes) response.destroy();
  }

  /** Resolves when the reader has taken what was sent, or is gone. */
  function taken(): Promise<void> {
    flush();
    if (!isOpen || !response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const impatience = setTimeout(() => response.destroy(), patienceMs);
      const go = (): void => {
        clearTimeout(impatience);
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }

  return {
    send: write,
    async sendAll(events) {
      for (const event of events) {
        if (!isOpen) return;
        write(event);
        if (gathered.length >= atOnceBytes) await taken();
      }
      await taken();
    },
    end(lastEvent = '') {
      if (!isOpen) return;
      isOpen = false;
      response.end(gathered + lastEvent);
      gathered = '';
    },
    get isOpen() {
      return isOpen;
    },
    onClose: (listener) => listeners.push(listener),
  };
}

/** One heartbeat for all streams, so that proxies and readers know they live. */
function join(member: { pulse(): void }): void {
  streams.add(member);
  heart ??= setInterval(() => {
    for (const { pulse } of streams) pulse();
  }, pulseMs).unref();
}

function leave(member: { pulse(): void }): void {
  streams.delete(member);
  if (streams.size > 0) return;
  clearInterval(heart);
  heart = undefined;
}
