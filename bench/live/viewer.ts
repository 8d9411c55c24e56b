import { connect, type Socket } from 'node:net';

export type Seen = { events: number; delaysMs: number[] };

const time = '"timestamp":';
const timeDigits = 13;
const arrived = Buffer.alloc(64 * 1024); // shared by all: each chunk is processed before the next

/** Reads the stream of one site. */
export class Viewer {
  readonly #socket: Socket;
  readonly #seen: Seen;
  #rest = '';
  #isOpen = true;
  #began: ((head: string) => void) | undefined;

  constructor(site: { port: number; path: string; token: string }, seen: Seen) {
    this.#seen = seen;
    const callback = (bytes: number): true => {
      this.#read(arrived.toString('latin1', 0, bytes));
      return true;
    };
    this.#socket = connect({ port: site.port, host: '127.0.0.1', onread: { buffer: arrived, callback } });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isOpen = false;
    });
    this.#socket.write(`GET ${site.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${site.token}\r\n\r\n`);
  }

  /** Resolves when the stream has begun. */
  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('close', () => reject(new Error('The server closed a stream.')));
      this.#began = (head) => (head.startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(head)));
    });
  }

  /** Stops reading. */
  stall(): void {
    this.#socket.pause();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  #read(text: string): void {
    if (this.#began) {
      this.#began(text);
      this.#began = undefined;
    }
    const now = performance.timeOrigin + performance.now();
    const all = this.#rest + text;
    let read = 0;
    for (let place = all.indexOf(time); place >= 0; place = all.indexOf(time, read)) {
      const end = place + time.length + timeDigits;
      if (end > all.length) break;
      this.#seen.events++;
      this.#seen.delaysMs.push(now - Number(all.slice(place + time.length, end)));
      read = end;
    }
    this.#rest = all.slice(Math.max(read, all.length - time.length - timeDigits));
  }
}
