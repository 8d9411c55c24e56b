import { connect, type Socket } from 'node:net';

export type Seen = { events: number; delaysMs: number[] };

const time = '"timestamp":';
const timeDigits = 13;

/** A reader of one site's stream. */
export class Viewer {
  readonly #socket: Socket;
  readonly #seen: Seen;
  #rest = '';
  #isOpen = true;

  constructor(site: { port: number; path: string; token: string }, seen: Seen) {
    this.#seen = seen;
    this.#socket = connect({ port: site.port, host: '127.0.0.1' });
    this.#socket.setEncoding('latin1');
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isOpen = false;
    });
    this.#socket.write(`GET ${site.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${site.token}\r\n\r\n`);
  }

  /** Resolves when the stream has begun. */
  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('close', () => reject(new Error('The platform closed a stream.')));
      this.#socket.once('data', (text: string) => {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text));
        this.#socket.on('data', (more: string) => this.#read(more));
        resolve();
      });
    });
  }

  /** Reads nothing any more. */
  stall(): void {
    this.#socket.pause();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  #read(text: string): void {
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
