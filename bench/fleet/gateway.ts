import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connackBytes, connectPacket, pubackBytes, publishPacket } from '#sim/fleet/gateway.ts';
import type { Login } from './enrol.ts';

const inFlight = 40;
const together = 20; // messages per write: writing each alone would use up the core that the generator shares

type Slot = { begin: number; time: number };

/** Simulates a gateway at low cost: its packets are encoded in advance, only their time changes. */
export class Gateway {
  readonly #socket: Socket;
  readonly #packets: Buffer;
  readonly #slots: Slot[] = [];
  #left = 0;
  #sent = 0;
  #ackedBytes = 0;
  #at = 0;
  #done: (() => void) | undefined;

  private constructor(socket: Socket, topic: string, bodies: readonly string[]) {
    this.#socket = socket;
    const packets = Array.from({ length: inFlight }, (_, slot) =>
      publishPacket(topic, slot + 1, bodies[slot % bodies.length]!),
    );
    this.#packets = Buffer.concat(packets);
    let begin = 0;
    for (const packet of packets) {
      this.#slots.push({ begin, time: begin + packet.indexOf('"timestamp":') + '"timestamp":'.length });
      begin += packet.length;
    }
    socket.on('data', ({ length }: Buffer) => this.#received(length));
  }

  static async login(port: number, login: Login, bodies: readonly string[]): Promise<Gateway> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('close', () => {
      throw new Error(`The platform ended the connection of ${login.serial}.`);
    });
    await once(socket, 'connect');
    socket.write(connectPacket(login));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (answer.length !== connackBytes || answer[3] !== 0) throw new Error(`${login.serial} was refused.`);
    return new Gateway(socket, login.topic, bodies);
  }

  /** Publishes this many readings, a multiple of 20, as fast as they are acknowledged. */
  publish(count: number): Promise<void> {
    this.#left = count;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#sendMore();
    });
  }

  /** Publishes the next readings, measured now. They must not be waiting for an acknowledgement. */
  send(count: number): void {
    const first = this.#sent % inFlight;
    for (let slot = first; slot < first + count; slot++) {
      this.#at = Math.max(this.#at + 1, Date.now());
      this.#packets.write(String(this.#at), this.#slots[slot]!.time, 'latin1');
    }
    this.#sent += count;
    this.#socket.write(this.#packets.subarray(this.#slots[first]!.begin, this.#slots[first + count]?.begin));
  }

  get unacknowledged(): number {
    return this.#sent - this.#ackedBytes / pubackBytes;
  }

  #received(bytes: number): void {
    this.#ackedBytes += bytes;
    this.#sendMore();
  }

  #sendMore(): void {
    while (this.#left > 0 && this.unacknowledged <= inFlight - together) {
      this.#left -= together;
      this.send(together);
    }
    if (this.#left > 0 || this.unacknowledged > 0) return;
    this.#done?.();
    this.#done = undefined;
  }
}
